package kernel

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"pacms/session/cores"
)

// Rows are vectors of norm 1 and zero vectors, all of one length, to be multiplied
// with each other. They are held whole, or thin: without the numbers that are 0. An
// inner product of two rows depends on them alone, whichever function computes it and
// in either order, but a thin one is added up in another order than a whole one, and
// may differ from it in the last bits.
//
// Rows are a value like a slice: Append leaves the ones before as they were.
type Rows struct {
	whole  [][]float32
	thin   thin
	isThin bool
	length int // of each
}

// mostThin is the length of vectors up to which they can be held thin.
const mostThin = math.MaxUint16

// NewRows returns no rows yet. Thin is for vectors of which most numbers are 0; vectors
// of more than 65,535 numbers are held whole all the same.
func NewRows(thin bool) Rows { return Rows{isThin: thin} }

// Len is the number of rows.
func (r Rows) Len() int { return max(len(r.whole), len(r.thin.at)) }

// Length is how many numbers a row has; 0 before there is one.
func (r Rows) Length() int { return r.length }

// Bytes is how much memory the numbers of the rows take.
func (r Rows) Bytes() int64 {
	const number, place = 4, 1
	if !r.isThin {
		return number * int64(r.Len()) * int64(r.length)
	}
	held := int64(0)
	for _, value := range r.thin.value {
		held += int64(len(value))
	}
	return (number + place) * held
}

// Append returns the rows with vectors behind them, each scaled to norm 1 as Unit does
// it, and whether each is usable. An error tells that a vector has another length.
func (r Rows) Append(vectors ...[]float32) (Rows, []bool, error) {
	usable := make([]bool, len(vectors))
	for i, v := range vectors {
		if r.Len() == 0 && i == 0 {
			r.length = len(v)
			r.isThin = r.isThin && len(v) <= mostThin
		}
		if len(v) != r.length {
			return r, nil, fmt.Errorf("kernel: a vector of %d numbers beside others of %d", len(v), r.length)
		}
	}
	if r.isThin {
		r.thin = r.thin.append(vectors, usable)
		return r, usable, nil
	}
	for i, v := range vectors {
		var u []float32
		u, usable[i] = Unit(v)
		r.whole = append(r.whole, u)
	}
	return r, usable, nil
}

// Pick returns some of the rows, in the order of ids.
func (r Rows) Pick(ids []int) Rows {
	p := Rows{isThin: r.isThin, length: r.length}
	if r.isThin {
		p.thin = r.thin.pick(ids)
		return p
	}
	p.whole = make([][]float32, len(ids))
	for k, id := range ids {
		p.whole[k] = r.whole[id]
	}
	return p
}

// Dot is the inner product of two rows.
func (r Rows) Dot(i, j int) float32 {
	if r.isThin {
		return r.thin.dot(i, j)
	}
	return Dot(r.whole[i], r.whole[j])
}

// Same reports whether two rows are the same to the last bit.
func (r Rows) Same(i, j int) bool {
	if r.isThin {
		return slices.Equal(r.thin.value[i], r.thin.value[j]) && slices.Equal(r.thin.at[i], r.thin.at[j]) &&
			slices.Equal(r.thin.ends[i], r.thin.ends[j])
	}
	return slices.Equal(r.whole[i], r.whole[j])
}

// AddTo adds row i to sum, which has a place for each of its numbers.
func (r Rows) AddTo(sum []float64, i int) {
	if r.isThin {
		r.thin.each(i, func(k int, x float32) { sum[k] += float64(x) })
		return
	}
	for k, x := range r.whole[i] {
		sum[k] += float64(x)
	}
}

// MatVec sets dst[i] to the inner product of row i and v, and is MatVec for rows that
// are held whole. It panics unless dst has a place for every row and all are as long
// as v.
func (r Rows) MatVec(dst, v []float32) {
	if !r.isThin {
		MatVec(dst, r.whole, v)
		return
	}
	if len(dst) != r.Len() || r.Len() > 0 && len(v) != r.length {
		panic(fmt.Sprintf("kernel: %d rows of %d numbers times a vector of %d, into %d places", r.Len(), r.length, len(v), len(dst)))
	}
	one := thin{}.pack([][]float32{v})
	_ = products(context.Background(), [][]float32{dst}, one, r.thin, r.length) // nothing stops it
}

// Gram sets dst[i][j] to the inner product of the rows from+i and j, as Gram does.
func (r Rows) Gram(ctx context.Context, dst [][]float32, from int) error {
	if !r.isThin {
		return Gram(ctx, dst, r.whole, from)
	}
	if from < 0 || from+len(dst) != r.Len() {
		return fmt.Errorf("kernel: products of the rows from %d on, of %d, into %d places", from, r.Len(), len(dst))
	}
	if err := wide(dst, r.Len()); err != nil {
		return err
	}
	return r.thin.gram(ctx, dst, from, r.length)
}

// Products sets dst[i][j] to the inner product of row i of a and row j of b, as
// Products does. Both are to be picked from the same rows.
func (r Rows) Products(ctx context.Context, dst [][]float32, b Rows) error {
	if !r.isThin {
		return Products(ctx, dst, r.whole, b.whole)
	}
	if len(dst) != r.Len() {
		return fmt.Errorf("kernel: products of %d rows, into %d places", r.Len(), len(dst))
	}
	if err := wide(dst, b.Len()); err != nil {
		return err
	}
	return products(ctx, dst, r.thin, b.thin, r.length)
}

// wide tells where a place is not for n products.
func wide(dst [][]float32, n int) error {
	for i, row := range dst {
		if len(row) != n {
			return fmt.Errorf("kernel: place %d is for %d products, want %d", i, len(row), n)
		}
	}
	return nil
}

// thin are vectors without the numbers that are 0. A vector is cut into sections: it
// has value[i][e] at the place at[i][e] of the section s for which e is in
// ends[i][s]:ends[i][s+1].
type thin struct {
	at    [][]uint8
	value [][]float32
	ends  [][]uint16
}

const (
	// thinSection is how many components of a vector are added up in one go; those of
	// all columns of a panel fit a first-level cache.
	thinSection = 128
	// board is how many columns a panel has.
	board = 64
	// tileRows is how many rows pass along a panel between two looks at the context: a
	// tenth of a millisecond in assembler where every tenth number is held.
	tileRows = 128
	// stretchRows is how many rows pass along a panel that was laid out once.
	stretchRows = 2048
)

func sectionsOf(length int) int { return (length + thinSection - 1) / thinSection }

// append packs vectors of norm 1 behind t and notes which are usable.
func (t thin) append(vectors [][]float32, usable []bool) thin {
	units := thin{}.pack(vectors)
	for i, value := range units.value {
		sum := 0.0
		for _, x := range value {
			sum += float64(x) * float64(x)
		}
		if usable[i] = sum != 0 && !math.IsNaN(sum) && !math.IsInf(sum, 0); !usable[i] {
			units.at[i], units.value[i] = nil, nil
			clear(units.ends[i])
			continue
		}
		norm := math.Sqrt(sum)
		for e, x := range value {
			value[e] = float32(float64(x) / norm)
		}
	}
	return thin{append(t.at, units.at...), append(t.value, units.value...), append(t.ends, units.ends...)}
}

// pack holds vectors of one length thin, with one piece of memory for all.
func (thin) pack(vectors [][]float32) thin {
	count := 0
	for _, v := range vectors {
		for _, x := range v {
			if x != 0 {
				count++
			}
		}
	}
	at, value := make([]uint8, 0, count), make([]float32, 0, count)
	t := thin{make([][]uint8, len(vectors)), make([][]float32, len(vectors)), make([][]uint16, len(vectors))}
	if len(vectors) == 0 {
		return t
	}
	sections := sectionsOf(len(vectors[0]))
	ends := make([]uint16, len(vectors)*(sections+1))
	for i, v := range vectors {
		begin := len(at)
		t.ends[i], ends = ends[:sections+1:sections+1], ends[sections+1:]
		for s := range sections {
			for k, x := range v[s*thinSection : min((s+1)*thinSection, len(v))] {
				if x != 0 {
					at, value = append(at, uint8(k)), append(value, x)
				}
			}
			t.ends[i][s+1] = uint16(len(at) - begin)
		}
		t.at[i], t.value[i] = at[begin:len(at):len(at)], value[begin:len(value):len(value)]
	}
	return t
}

func (t thin) pick(ids []int) thin {
	p := thin{make([][]uint8, len(ids)), make([][]float32, len(ids)), make([][]uint16, len(ids))}
	for k, id := range ids {
		p.at[k], p.value[k], p.ends[k] = t.at[id], t.value[id], t.ends[id]
	}
	return p
}

func (t thin) cut(from, to int) thin { return thin{t.at[from:to], t.value[from:to], t.ends[from:to]} }

// each calls yield for every number of row i that is not 0.
func (t thin) each(i int, yield func(k int, x float32)) {
	for s, end := range t.ends[i][1:] {
		for e := t.ends[i][s]; e < end; e++ {
			yield(s*thinSection+int(t.at[i][e]), t.value[i][e])
		}
	}
}

// dot is the inner product of two rows: by section the sum, in their order, of the
// products of the numbers that both have.
func (t thin) dot(i, j int) float32 {
	var a, b [thinSection]float32
	var sum float32
	for s, end := range t.ends[i][1:] {
		x, y, last := t.ends[i][s], t.ends[j][s], t.ends[j][s+1]
		n := 0
		for x < end && y < last {
			switch p, q := t.at[i][x], t.at[j][y]; {
			case p < q:
				x++
			case p > q:
				y++
			default:
				a[n], b[n] = t.value[i][x], t.value[j][y]
				x, y, n = x+1, y+1, n+1
			}
		}
		sum += active.chain(a[:n], b[:n])
	}
	return sum
}

// sheet is up to board rows laid out by component, and where products with them come
// out, one row after the other.
type sheet struct {
	numbers []float32 // by component, one of each column
	tile    []float32 // by row, one for each column
	columns thin
}

func newSheet(length int) *sheet {
	return &sheet{numbers: make([]float32, sectionsOf(length)*thinSection*board), tile: make([]float32, tileRows*board)}
}

// lay puts columns onto the sheet in the place of those before.
func (p *sheet) lay(columns thin) {
	for j := range p.columns.at {
		p.columns.each(j, func(k int, _ float32) { p.numbers[k*board+j] = 0 })
	}
	p.columns = columns
	for j := range columns.at {
		columns.each(j, func(k int, x float32) { p.numbers[k*board+j] = x })
	}
}

// pass multiplies rows with the columns, into the tile.
func (p *sheet) pass(rows thin) {
	clear(p.tile[:len(rows.at)*board])
	for s := range len(p.numbers) / (thinSection * board) {
		active.thin(p.tile, rows.at, rows.value, rows.ends, s, p.numbers[s*thinSection*board:][:thinSection*board])
	}
}

// turned sets dst[j][first+i] to what row i of n gave with column j.
func (p *sheet) turned(dst [][]float32, first, n int) {
	const block = 16
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		for j, row := range dst {
			row := row[first+from : first+to]
			for i := range row {
				row[i] = p.tile[(from+i)*board+j]
			}
		}
	}
}

// pairs multiplies every row of a stretch of rows with the columns from lo to hi; each
// is called for the tiles that come out.
type pairs struct {
	columns, rows    thin
	lo, hi, from, to int
}

// passAll works on all stretches, on all processors.
func passAll(ctx context.Context, length int, work []pairs, each func(p *sheet, w *pairs, first, n int)) error {
	g, ctx := errgroup.WithContext(ctx)
	next := make(chan *pairs, len(work))
	for k := range work {
		next <- &work[k]
	}
	close(next)
	for range min(cores.Workers(ctx), len(work)) {
		g.Go(func() error {
			p := newSheet(length)
			for w := range next {
				p.lay(w.columns.cut(w.lo, w.hi))
				for first := w.from; first < w.to; first += tileRows {
					if err := breathe(ctx); err != nil {
						return err
					}
					last := min(first+tileRows, w.to)
					p.pass(w.rows.cut(first, last))
					each(p, w, first, last-first)
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// gram is Gram for thin rows.
func (t thin) gram(ctx context.Context, dst [][]float32, from, length int) error {
	n := len(t.at)
	var work []pairs
	// The longest first, so that the processors end together.
	for hi := n; hi > from; hi -= board {
		for row := 0; row < hi; row += stretchRows {
			work = append(work, pairs{t, t, max(from, hi-board), hi, row, min(row+stretchRows, hi)})
		}
	}
	return passAll(ctx, length, work, func(p *sheet, w *pairs, first, n int) {
		p.turned(dst[w.lo-from:w.hi-from], first, n)
		for i := max(first, from); i < min(first+n, w.lo); i++ {
			copy(dst[i-from][w.lo:w.hi], p.tile[(i-first)*board:])
		}
	})
}

// products sets dst[i][j] to the inner product of row i of a and row j of b.
func products(ctx context.Context, dst [][]float32, a, b thin, length int) error {
	var work []pairs
	for lo := 0; lo < len(a.at); lo += board {
		for row := 0; row < len(b.at); row += stretchRows {
			work = append(work, pairs{a, b, lo, min(lo+board, len(a.at)), row, min(row+stretchRows, len(b.at))})
		}
	}
	return passAll(ctx, length, work, func(p *sheet, w *pairs, first, n int) { p.turned(dst[w.lo:w.hi], first, n) })
}
