package kernel

// plain is the kernel for every processor, in Go.
func plain() kernel {
	one := func(dst, a, b [][]float32, col, at, n int) {
		dst[0][col] += plainDot(a[0][at:at+n], b[0][at:at+n])
	}
	return kernel{
		name: "plain", dot: plainDot, block: one, line: one, rows: 1, cols: 1,
		chain: plainChain, thin: plainThin,
		array: array{plainFalls, plainExceed, plainSums, plainMost},
	}
}

// plainDot multiplies and adds in one expression, which the compiler may fuse.
func plainDot(a, b []float32) float32 {
	var s [lanes]float32
	for len(a) >= lanes {
		x, y := (*[lanes]float32)(a), (*[lanes]float32)(b)
		s[0] += x[0] * y[0]
		s[1] += x[1] * y[1]
		s[2] += x[2] * y[2]
		s[3] += x[3] * y[3]
		s[4] += x[4] * y[4]
		s[5] += x[5] * y[5]
		s[6] += x[6] * y[6]
		s[7] += x[7] * y[7]
		s[8] += x[8] * y[8]
		s[9] += x[9] * y[9]
		s[10] += x[10] * y[10]
		s[11] += x[11] * y[11]
		s[12] += x[12] * y[12]
		s[13] += x[13] * y[13]
		s[14] += x[14] * y[14]
		s[15] += x[15] * y[15]
		a, b = a[lanes:], b[lanes:]
	}
	for i := range a {
		s[i] += a[i] * b[i]
	}
	half := s[:lanes/2]
	for i := range half {
		half[i] += s[lanes/2+i]
	}
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}

func plainChain(a, b []float32) float32 {
	var sum float32
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func plainThin(tile []float32, at [][]uint8, value [][]float32, ends [][]uint16, section int, panel []float32) {
	for i := range at {
		var sum [board]float32
		for e := ends[i][section]; e < ends[i][section+1]; e++ {
			x := value[i][e]
			for j, y := range panel[int(at[i][e])*board:][:board] {
				sum[j] += x * y
			}
		}
		for j, x := range sum {
			tile[i*board+j] += x
		}
	}
}
