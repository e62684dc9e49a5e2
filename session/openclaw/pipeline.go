package openclaw

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"

	"pacms/session"
	"pacms/session/cores"
)

// batchBytes is how much is read before it is handed to a decoder: enough that
// handing over costs nothing, little enough that memory and progress are smooth.
const batchBytes = 1 << 20

// batch is a run of records with what became of them.
type batch struct {
	data    []byte
	records []record
	spans   []session.Span // of the records in data
	entries []*entry
	skipped []session.Skip
}

// decodeAll reads all of src and decodes it on all processors, in order. The
// raw bytes stay in the entries where keep is true.
func decodeAll(ctx context.Context, src source, d *decoder, keep bool, report func(done, total int64)) ([]*entry, []session.Skip, error) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cores.Workers(ctx))
	var batches []*batch
	var readErr error
	for readErr == nil {
		b := &batch{data: make([]byte, 0, batchBytes+batchBytes/16)}
		readErr = b.fill(ctx, src)
		batches = append(batches, b)
		g.Go(func() error {
			b.decode(d, keep)
			return ctx.Err()
		})
		if report != nil {
			report(src.progress())
		}
	}
	err := g.Wait()
	if !errors.Is(readErr, io.EOF) {
		err = readErr
	}
	if err != nil {
		return nil, nil, err
	}
	n := 0
	for _, b := range batches {
		n += len(b.entries)
	}
	entries := make([]*entry, 0, n)
	var skipped []session.Skip
	for _, b := range batches {
		entries = append(entries, b.entries...)
		skipped = append(skipped, b.skipped...)
	}
	return entries, skipped, nil
}

// fill reads about batchBytes; the error is io.EOF with the last records.
func (b *batch) fill(ctx context.Context, src source) error {
	for len(b.data) < batchBytes {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := len(b.data)
		data, rec, err := src.next(ctx, b.data)
		if err != nil {
			return err
		}
		b.data = data
		b.records = append(b.records, rec)
		b.spans = append(b.spans, session.Span{From: len(data) - min(rec.size, len(data)-start), To: len(data)})
	}
	return nil
}

func (b *batch) decode(d *decoder, keep bool) {
	if keep && len(b.data) < cap(b.data)/2 {
		b.data = bytes.Clone(b.data) // what is kept does not hold a buffer that is mostly empty
	}
	for i, rec := range b.records {
		data := b.data[b.spans[i].From:b.spans[i].To]
		first := len(b.entries)
		b.add(d, data, rec)
		if !keep {
			continue
		}
		for _, e := range b.entries[first:] {
			from := int(e.rec.offset - rec.offset) // 0 but for a record that shares its line
			e.raw = data[from : from+e.rec.size]
		}
	}
	b.data = nil
}

// add decodes a stored line or row: entries in it join those of the batch, and
// what of it is none joins what was skipped.
func (b *batch) add(d *decoder, data []byte, rec record) {
	e, cause := d.decode(data, rec)
	if e == nil && rec.cause == "" && rec.offset >= 0 && !jsontext.Value(data).IsValid(lenient) {
		entries, skipped := d.salvage(data, rec, cause)
		b.entries, b.skipped = append(b.entries, entries...), append(b.skipped, skipped...)
		return
	}
	if cause != "" {
		b.skipped = append(b.skipped, session.Skip{Line: rec.line, Offset: rec.offset, Bytes: rec.size, Cause: cause})
	}
	if e != nil {
		b.entries = append(b.entries, e)
	}
}
