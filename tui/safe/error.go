package safe

import "strings"

// packages are the names with which parts of the program begin their errors, for
// those who develop it.
const packages = " cache capture choices compare embed expect find kernel ollama openclaw poolfile render selector service share store svg testdata themes token tui "

// Error is an error as people read it: what Words makes of it.
func Error(err error) string { return Words(err.Error()) }

// Words is a message without the names of the packages that it came through, and
// neutralised as Text does.
func Words(message string) string {
	const colon = ": "
	parts := strings.Split(message, colon)
	kept := parts[:0]
	for i, part := range parts {
		before, name := "", part
		if at := strings.LastIndexByte(part, '\n'); at >= 0 { // one error a line
			before, name = part[:at+1], part[at+1:]
		}
		if i < len(parts)-1 && name != "" && !strings.Contains(name, " ") && strings.Contains(packages, " "+name+" ") {
			parts[i+1] = before + parts[i+1]
			continue
		}
		kept = append(kept, part)
	}
	return Text(strings.Join(kept, colon))
}
