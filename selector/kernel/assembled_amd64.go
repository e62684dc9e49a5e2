package kernel

import "golang.org/x/sys/cpu"

//go:generate go run -C gen . -out ../assembled_amd64.s -stubs ../stubs_amd64.go -pkg kernel

// assembled lists the kernels in assembler that the processor can run, the
// fastest first.
func assembled() []kernel {
	var found []kernel
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA || !cpu.X86.HasBMI2 {
		return nil
	}
	if cpu.X86.HasAVX512F {
		found = append(found, kernel{
			name: "avx512", dot: dotAVX512, block: blockAVX512, line: lineAVX512, rows: 6, cols: 4,
			chain: chainFMA, thin: thinAVX512,
			array: array{lowerAVX512, exceedAVX512, sumsAVX512, mostAVX512},
		})
	}
	return append(found, kernel{
		name: "avx2", dot: dotAVX2, block: blockAVX2, line: lineAVX2, rows: 3, cols: 4,
		chain: chainFMA, thin: thinAVX2,
		array: array{lowerAVX2, exceedAVX2, sumsAVX2, mostAVX2},
	})
}
