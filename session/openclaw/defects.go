package openclaw

import (
	"fmt"
	"slices"
	"strings"

	"pacms/session"
)

// mostTypes is how many unknown types one sentence names.
const mostTypes = 3

// defects counts what was mended while a session was read.
type defects struct {
	replays, badUnicode, rawControls    int
	missingParents, cycles, badLeafRows int
	lostKept                            []string // boundaries whose kept part is unknown
	unknown                             int      // records of types that are not known
	types                               []string // those types, each once
}

func (d *defects) addEntry(e *entry) {
	if e.badUnicode {
		d.badUnicode++
	}
	if e.rawControls {
		d.rawControls++
	}
	if e.typ != typeHeader && e.typ != typeLeaf && !canonical(e.typ) {
		d.unknown++
		if !slices.Contains(d.types, e.typ) && len(d.types) <= mostTypes {
			d.types = append(d.types, e.typ)
		}
	}
}

// unknownTypes names the types that are not known.
func (d *defects) unknownTypes() string {
	names := make([]string, 0, len(d.types))
	for _, typ := range d.types[:min(mostTypes, len(d.types))] {
		names = append(names, fmt.Sprintf("%.40q", typ))
	}
	if len(d.types) > mostTypes {
		names = append(names, "and others")
	}
	return strings.Join(names, ", ")
}

func (d *defects) addTree(t *tree) {
	d.missingParents += t.missingParents
	d.cycles += t.cycles
	d.badLeafRows += t.badLeafRows
}

// warnings says what was mended, and how many records were skipped.
func (d *defects) warnings(skipped int) []session.Warning {
	var out []session.Warning
	note := func(n int, code, one, many string, ids ...string) {
		message := one
		if n != 1 {
			message = fmt.Sprintf(many, n)
		}
		if n > 0 {
			out = append(out, session.Warning{Code: code, Message: message, Count: n, IDs: ids})
		}
	}
	note(skipped, "skipped_records",
		"1 damaged or unknown record was skipped", "%d damaged or unknown records were skipped")
	if d.unknown > 0 {
		types := strings.ReplaceAll(d.unknownTypes(), "%", "%%")
		note(d.unknown, "unknown_types",
			"1 record is of a type that is not known and says nothing here: "+d.unknownTypes(),
			"%d records are of types that are not known and say nothing here: "+types)
	}
	note(d.badUnicode, "invalid_unicode",
		"1 record had broken characters, shown as \uFFFD", "%d records had broken characters, shown as \uFFFD")
	note(d.rawControls, "raw_controls",
		"1 record had unescaped control characters and was mended", "%d records had unescaped control characters and were mended")
	note(d.replays, "replayed_records",
		"1 record was stored more than once and counts once", "%d records were stored more than once and count once")
	note(d.missingParents, "missing_parent",
		"1 record follows one that is not there; it was joined to the branch before it",
		"%d records follow one that is not there; they were joined to the branch before them")
	note(d.cycles, "cycle",
		"the records follow each other in a circle; what lies before it is left out",
		"%d times the records follow each other in a circle; what lies before it is left out")
	note(d.badLeafRows, "bad_leaf",
		"1 row moves the branch to a record that is not there and was ignored",
		"%d rows move the branch to a record that is not there and were ignored")
	note(len(d.lostKept), "first_kept_unknown",
		"1 compaction or reset keeps from a record that is not there; a compaction then keeps all before it, a reset nothing",
		"%d compactions or resets keep from a record that is not there; a compaction then keeps all before it, a reset nothing", d.lostKept...)
	return out
}
