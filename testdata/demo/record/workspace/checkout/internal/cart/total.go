// Package cart computes what an order costs.
package cart

// Line is one article of an order.
type Line struct {
	Article  string
	Quantity int64
	// Cents is the net price of one piece.
	Cents int64
	// VAT is in tenths of a percent: 220 is 22 %.
	VAT int64
}

// Total is the gross price of all lines in cents. Tax is computed for each
// line, not for the sum, and half a cent goes to the even neighbour.
func Total(lines []Line) int64 {
	var sum int64
	for _, l := range lines {
		net := l.Quantity * l.Cents
		sum += net + halfEven(net*l.VAT, 1000)
	}
	return sum
}

// Shipping is what the parcel costs in cents: free from 60 euros on, and always
// for gift cards, which weigh nothing.
func Shipping(lines []Line, country string) int64 {
	total, heavy := Total(lines), false
	for _, l := range lines {
		heavy = heavy || l.Article != "gift_card"
	}
	switch {
	case !heavy || total >= 6000:
		return 0
	case country == "SI":
		return 390
	default:
		return 890
	}
}

// halfEven divides n by d and rounds halves to the even neighbour.
func halfEven(n, d int64) int64 {
	q, r := n/d, n%d
	switch {
	case 2*r > d:
		q++
	case 2*r == d && q%2 == 1:
		q++
	}
	return q
}
