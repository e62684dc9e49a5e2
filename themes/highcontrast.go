package themes

// highContrast is for eyes and rooms in which dark cannot be read: every text at
// least seven times as bright as the background.
var highContrast = Theme{
	Name: "high-contrast", Dark: true,
	Background: Color{0x000000, Black},
	Text:       Color{0xffffff, BrightWhite},
	Muted:      Color{0xd5d9e2, White},
	Faint:      Color{0x8f96a6, BrightBlack},
	Accent:     Color{0xffee00, BrightYellow},
	OnAccent:   Color{0x000000, Black},
	Band:       Color{0x262b3a, Black},
	Kinds: [KindCount]Color{
		{0xff8fe0, BrightMagenta},
		{0x5ccfff, BrightCyan},
		{0x3dff9e, BrightGreen},
		{0xffb000, Yellow},
		{0xff8a7a, BrightRed},
		{0xb5a6ff, BrightBlue},
		{0xffffff, BrightWhite},
	},
}

// highContrastLight is the same on white.
var highContrastLight = Theme{
	Name:       "high-contrast-light",
	Background: Color{0xffffff, BrightWhite},
	Text:       Color{0x000000, Black},
	Muted:      Color{0x33383f, Black},
	Faint:      Color{0x7a828c, BrightBlack},
	Accent:     Color{0x7a1f00, Red},
	OnAccent:   Color{0xffffff, BrightWhite},
	Band:       Color{0xe2e6ec, White},
	Kinds: [KindCount]Color{
		{0x860058, Magenta},
		{0x00457f, Blue},
		{0x00563e, Green},
		{0x6e4000, Yellow},
		{0x8c0a0a, Red},
		{0x3a12a8, Cyan},
		{0x3c424a, BrightBlack},
	},
}
