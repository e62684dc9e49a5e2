//go:build !amd64

package kernel

// assembled is empty: only amd64 has kernels in assembler.
func assembled() []kernel { return nil }
