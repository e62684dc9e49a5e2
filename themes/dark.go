package themes

// dark uses the colours of Okabe and Ito, which people with any of the usual
// colour-vision deficiencies tell apart, lightened until a dropped item can be seen
// on the background and is still far from a kept one.
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
		{0xdda7c5, Magenta},
		{0x71c0ed, Cyan},
		{0x4ccba9, Green},
		{0xeaac24, Yellow},
		{0xf1a583, Red},
		{0xa6b2ff, Blue},
		{0xc3c8d4, White},
	},
}
