//go:build cgo

package cache

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"pacms/session/files"
)

const (
	// evictStep is how many entries are forgotten at once.
	evictStep = 64
	// emptyBytes is at least what a database without entries takes.
	emptyBytes = 64 << 10
)

// errSum says that numbers are not those that were stored for a key.
var errSum = errors.New("a vector has another checksum than when it was stored")

// get returns the vectors of the keys that are stored.
func (d *disk) get(ctx context.Context, keys []key) (map[key][]float32, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	found, err := d.read(ctx, keys)
	if err != nil {
		return nil, d.fault("read", err)
	}
	return found, nil
}

func (d *disk) read(ctx context.Context, keys []key) (map[key][]float32, error) {
	found := make(map[key][]float32)
	for _, k := range keys {
		var sum uint32
		var numbers []byte
		err := d.db.QueryRowContext(ctx, "SELECT sum, numbers FROM vector JOIN entry USING (id) WHERE key = ?", k[:]).Scan(&sum, &numbers)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look up a vector: %w", err)
		}
		if len(numbers)%4 != 0 || sumOf(k, numbers) != sum {
			return nil, errSum
		}
		found[k] = decode(numbers)
	}
	return found, nil
}

// touch notes that the keys were used now.
func (d *disk) touch(ctx context.Context, keys []key) error {
	if len(keys) == 0 {
		return nil
	}
	err := files.Transaction(ctx, d.db, func(tx *sql.Tx) error {
		now, err := clock(ctx, tx)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if _, err := tx.ExecContext(ctx, "UPDATE entry SET used = ? WHERE key = ?", now, k[:]); err != nil {
				return fmt.Errorf("note a use: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return d.fault("write", err)
	}
	return nil
}

// put stores entries; of more than fit into the file, the last ones.
func (d *disk) put(ctx context.Context, entries []entry) error {
	need := int64(0)
	for i := len(entries) - 1; i >= 0; i-- {
		size := sizeOnDisk(entries[i])
		if need+size > d.maxBytes-emptyBytes {
			entries = entries[i+1:]
			break
		}
		need += size
	}
	if len(entries) == 0 {
		return nil
	}
	err := files.Transaction(ctx, d.db, func(tx *sql.Tx) error {
		if err := d.evict(ctx, tx, need); err != nil {
			return err
		}
		now, err := clock(ctx, tx)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := insert(ctx, tx, now, e); err != nil {
				return fmt.Errorf("store a vector: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return d.fault("write", err)
	}
	return nil
}

func insert(ctx context.Context, tx *sql.Tx, now int64, e entry) error {
	var id int64
	if err := tx.QueryRowContext(ctx, "INSERT INTO entry (key, used) VALUES (?, ?) ON CONFLICT DO UPDATE SET used = excluded.used RETURNING id",
		e.key[:], now).Scan(&id); err != nil {
		return err //nolint:wrapcheck // the caller does
	}
	numbers := encode(e.vector)
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO vector (id, sum, numbers) VALUES (?, ?, ?)", id, sumOf(e.key, numbers), numbers)
	return err //nolint:wrapcheck // the caller does
}

// sumOf is the checksum of the numbers of a key.
func sumOf(k key, numbers []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(k[:]), crc32.IEEETable, numbers)
}

// clock is the number of this use. It counts uses and not seconds, so that a
// clock that jumps changes nothing.
func clock(ctx context.Context, tx *sql.Tx) (int64, error) {
	var now int64
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(used), 0) + 1 FROM entry").Scan(&now); err != nil {
		return 0, fmt.Errorf("count the uses: %w", err)
	}
	return now, nil
}

// evict forgets the entries that were not used for longest, until need more
// bytes fit. Their pages are used again, so that the file does not grow.
func (d *disk) evict(ctx context.Context, tx *sql.Tx, need int64) error {
	for {
		var bytes int64
		if err := tx.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size
			FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&bytes); err != nil {
			return fmt.Errorf("measure the file: %w", err)
		}
		if bytes+need <= d.maxBytes {
			return nil
		}
		gone := int64(0)
		for _, table := range []string{"vector", "entry"} {
			result, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE id IN (SELECT id FROM entry ORDER BY used, id LIMIT ?)", evictStep)
			if err != nil {
				return fmt.Errorf("forget old vectors: %w", err)
			}
			n, _ := result.RowsAffected() // the driver always knows
			gone += n
		}
		if gone == 0 {
			return nil
		}
	}
}

// sizeOnDisk is at most what an entry adds to the file, in bytes: its numbers,
// and a page for what is beside them and left over.
func sizeOnDisk(e entry) int64 { return int64(4*len(e.vector)) + 4096 }

func encode(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func decode(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}
