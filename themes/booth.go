package themes

// booth is read from some metres away: solid cells and the strongest colours.
var booth = Theme{
	Name: "booth", Dark: true, Large: true,
	Background: Color{0x000000, Black},
	Text:       Color{0xffffff, BrightWhite},
	Muted:      Color{0xc4c9d4, White},
	Faint:      Color{0x6b7284, BrightBlack},
	Accent:     Color{0xffe800, BrightYellow},
	OnAccent:   Color{0x000000, Black},
	Band:       Color{0x262b3a, Black},
	Kinds: [KindCount]Color{
		{0xff6ad5, BrightMagenta},
		{0x33c3ff, BrightCyan},
		{0x19f08c, BrightGreen},
		{0xffa200, Yellow},
		{0xff7a5c, BrightRed},
		{0xa08fff, BrightBlue},
		{0xe4e7ee, White},
	},
}
