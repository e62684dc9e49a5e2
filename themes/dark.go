package themes

// dark uses the colours of Okabe and Ito, which people with any of the usual
// colour-vision deficiencies tell apart; green is lightened for contrast.
var dark = Theme{
	Name: "dark", Dark: true,
	Background: Color{0x0f1117, Black},
	Text:       Color{0xe6e8ef, BrightWhite},
	Muted:      Color{0x9499a8, White},
	Faint:      Color{0x4d5262, BrightBlack},
	Accent:     Color{0xf0e442, BrightYellow},
	OnAccent:   Color{0x14161d, Black},
	Band:       Color{0x222635, Black},
	Kinds: [KindCount]Color{
		{0xcc79a7, Magenta},
		{0x56b4e9, Cyan},
		{0x2fc29b, Green},
		{0xe69f00, Yellow},
		{0xe8703a, Red},
		{0x8c9bff, Blue},
		{0xc3c8d4, White},
	},
}
