package themes

// light keeps the hues of dark at a luminance that reads on white. Its accent is
// a deep amber: yellow on white cannot be read.
var light = Theme{
	Name:       "light",
	Background: Color{0xffffff, BrightWhite},
	Text:       Color{0x1b1f24, Black},
	Muted:      Color{0x5a626c, BrightBlack},
	Faint:      Color{0xb4bbc4, White},
	Accent:     Color{0x8a4b00, Red},
	OnAccent:   Color{0xffffff, BrightWhite},
	Band:       Color{0xe6eaef, BrightWhite},
	Kinds: [KindCount]Color{
		{0xa63d7a, Magenta},
		{0x0067b1, Blue},
		{0x00795a, Green},
		{0x945800, Yellow},
		{0xb3261e, Red},
		{0x4b3fc4, BrightBlue},
		{0x57606a, BrightBlack},
	},
}
