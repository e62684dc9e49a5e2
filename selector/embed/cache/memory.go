package cache

import (
	"container/list"
	"slices"
)

// entryOverhead is about what an entry takes in memory beside its numbers.
const entryOverhead = 160

// memory holds the entries that were used last, as many as fit. It is not safe
// for concurrent use.
type memory struct {
	max, size int64 // bytes
	order     list.List
	places    map[key]*list.Element // of entry, the last used in front
}

func newMemory(limit int64) *memory {
	return &memory{max: limit, places: make(map[key]*list.Element)}
}

// get returns a copy of the vector of k, nil if there is none.
func (m *memory) get(k key) []float32 {
	place, ok := m.places[k]
	if !ok {
		return nil
	}
	m.order.MoveToFront(place)
	return slices.Clone(at(place).vector)
}

// put remembers a copy of v under k.
func (m *memory) put(k key, v []float32) {
	if place, ok := m.places[k]; ok {
		m.remove(place)
	}
	e := entry{k, slices.Clone(v)}
	m.places[k] = m.order.PushFront(e)
	m.size += e.size()
	for m.size > m.max && m.order.Len() > 0 {
		m.remove(m.order.Back())
	}
}

func (m *memory) remove(place *list.Element) {
	e := at(place)
	m.order.Remove(place)
	delete(m.places, e.key)
	m.size -= e.size()
}

func at(place *list.Element) entry {
	e, _ := place.Value.(entry) // nothing else is ever put there
	return e
}

// size is what e takes in memory, in bytes.
func (e entry) size() int64 { return int64(4*len(e.vector)) + entryOverhead }
