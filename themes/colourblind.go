package themes

// colourBlind tells the kinds apart for people who lack any one of the three
// kinds of cones: they differ in lightness where they cannot differ in hue. The
// colours were searched for by their least distance under all three.
var colourBlind = Theme{
	Name: "colour-blind", Dark: true,
	Background: Color{0x0f1117, Black},
	Text:       Color{0xe6e8ef, BrightWhite},
	Muted:      Color{0x9499a8, White},
	Faint:      Color{0x4d5262, BrightBlack},
	Accent:     Color{0xf0e442, BrightYellow},
	OnAccent:   Color{0x14161d, Black},
	Band:       Color{0x222635, Black},
	Kinds: [KindCount]Color{
		{0xc753ff, Magenta},
		{0xddceff, BrightCyan},
		{0x1aa274, Green},
		{0xe9830a, Yellow},
		{0x56ff89, BrightGreen},
		{0x8a82c1, Blue},
		{0xb4f4d3, White},
	},
}

// colourBlindLight is the same on white.
var colourBlindLight = Theme{
	Name:       "colour-blind-light",
	Background: Color{0xffffff, BrightWhite},
	Text:       Color{0x1b1f24, Black},
	Muted:      Color{0x5a626c, BrightBlack},
	Faint:      Color{0xb4bbc4, White},
	Accent:     Color{0x1b1f24, Black},
	OnAccent:   Color{0xffffff, BrightWhite},
	Band:       Color{0xe6eaef, BrightWhite},
	Kinds: [KindCount]Color{
		{0x460354, Magenta},
		{0x8738fd, Blue},
		{0x007b65, Green},
		{0xa25b0a, Yellow},
		{0x750000, Red},
		{0x2a2096, Cyan},
		{0x895397, BrightBlack},
	},
}
