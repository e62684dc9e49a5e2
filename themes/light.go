package themes

// light keeps the hues of dark, so dark that a dropped item can be seen on white
// and is still far from a kept one. Its accent is
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
		{0x762b57, Magenta},
		{0x00497e, Blue},
		{0x00513c, Green},
		{0x663d00, Yellow},
		{0x881d17, Red},
		{0x3e34a3, BrightBlue},
		{0x40474e, BrightBlack},
	},
}
