package safe

// reaches reports whether r may reach a terminal as it is: it acts on nothing there,
// and terminals agree on its width. It is what Text, Line and JSON go by.
func reaches(r rune) bool {
	return r >= 0x20 && (r < 0x7f || r >= 0xa0) && r != 0x2028 && r != 0x2029 && !direction(r) && !invisible(r)
}

// direction reports whether r changes the direction of the text around it.
func direction(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 ||
		r == 0x200e || r == 0x200f || r == 0x061c
}

// invisible reports whether r has no glyph of its own, and terminals give it
// widths that differ. Joiners stay, which make one sign of several.
func invisible(r rune) bool {
	switch r {
	case 0x00ad, 0x034f, 0x115f, 0x1160, 0x180e, 0x200b, 0x2060, 0x3164, 0xfeff, 0xffa0:
		return true
	}
	return r >= 0x2061 && r <= 0x2064 || r >= 0xe0000 && r <= 0xe007f // tags
}
