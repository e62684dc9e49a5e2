package cart

import (
	"fmt"
	"testing"
)

func TestTotalOfNothing(t *testing.T) {
	if got := Total(nil); got != 0 {
		t.Errorf("Total(nil) = %d, want 0", got)
	}
}

// Tax is never more than half a cent away from the exact value.
func TestTaxIsClose(t *testing.T) {
	articles := []string{"paperback", "teapot", "notebook", "scarf"}
	for a, article := range articles {
		for _, vat := range []int64{50, 95, 220} {
			for quantity := int64(1); quantity <= 12; quantity++ {
				name := fmt.Sprintf("%s/%d_pieces_at_%d.%d_percent", article, quantity, vat/10, vat%10)
				t.Run(name, func(t *testing.T) {
					l := Line{Article: article, Quantity: quantity, Cents: 333 + int64(a)*451, VAT: vat}
					net := l.Quantity * l.Cents
					tax := Total([]Line{l}) - net
					if off := 2 * (tax*1000 - net*vat); off > 1000 || off < -1000 {
						t.Errorf("tax on %d cents is %d", net, tax)
					}
				})
			}
		}
	}
}
