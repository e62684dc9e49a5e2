package store

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/session"
)

// FuzzBlob reads anything as each of the blobs of a file. What can be read can be
// written, and is then read the same.
func FuzzBlob(f *testing.F) {
	q := &queued{Capture: Capture{
		Pool: &session.Pool{Query: "q", QueryEmbedding: []float32{1}, Candidates: []session.Candidate{
			{ID: "a", Text: "text", Required: true, Embedding: []float32{0.5}, Calls: []session.ToolUse{{Name: "n", Args: []byte(`{"a":1}`)}}},
		}},
		Selection: &selector.Selection{Kept: []string{"a"}, KeptIndices: []int{0}},
	}}
	e, err := newEntry(q, nil)
	if err != nil {
		f.Fatal(err)
	}
	record, err := unpack(e.record)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(e.record)
	f.Add(record)
	f.Add(e.list[0].body)
	f.Add(packItems([]int64{1, 2, 3, 1 << 40}))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, blob := range [][]byte{b, pack(b)} {
			if c, err := decodeItem(blob); err == nil {
				item := itemBody{Candidate: c, Embedding: packVector(c.Embedding)}
				if body, err := encode(item); err == nil { // a time may be none that can be written
					again, err := decodeItem(pack(body))
					if err != nil || again.ID != c.ID || again.Text != c.Text || len(again.Embedding) != len(c.Embedding) {
						t.Errorf("%+v was read again as %+v: %v", c, again, err)
					}
				}
			}
			if r, err := decodeRecord(blob); err == nil {
				items := []session.Candidate{{ID: "a"}}
				if p, s, err := r.capture(items); err == nil && (len(p.Candidates) != 1 || s.Keeps(0) != slices.Contains(s.KeptIndices, 0)) {
					t.Errorf("read %+v, %+v", p, s)
				}
			}
		}
		if ids, err := unpackItems(b); err == nil {
			if again, err := unpackItems(packItems(ids)); err != nil || !reflect.DeepEqual(again, ids) {
				t.Errorf("%v was read again as %v: %v", ids, again, err)
			}
		}
	})
}

// A list of items reads back, in any order and with any distance.
func TestPackItems(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(rapid.Int64Range(1, 1<<50)).Draw(t, "ids")
		got, err := unpackItems(packItems(ids))
		if err != nil || !slices.Equal(got, ids) {
			t.Fatalf("%v was read as %v: %v", ids, got, err)
		}
	})
	if n := len(packItems([]int64{1000, 1001, 1002, 1003})); n != 5 {
		t.Errorf("items that follow each other take %d bytes", n)
	}
}
