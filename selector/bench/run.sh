#!/usr/bin/env bash
# Measures the selector beside what others would use, in one run, and prints ratios.
# It needs Debian with Go, and installs numpy and OpenBLAS from Debian's packages.
#
#   selector/bench/run.sh            everything, about two minutes
#   selector/bench/run.sh gram       only the lines that begin with "gram"
set -euo pipefail
cd "$(dirname "$0")/../.."

missing=()
/usr/bin/python3 -c 'import numpy' 2>/dev/null || missing+=(python3-numpy)
[[ -e /usr/lib/$(uname -m)-linux-gnu/libopenblas.so.0 ]] || missing+=(libopenblas0-pthread)
if ((${#missing[@]})); then
  root=()
  ((EUID == 0)) || root=(sudo)
  "${root[@]}" apt-get update -q
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}"
fi

# One thread each: what is compared is the work, not the number of processors.
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 GOMAXPROCS=1
# An OpenBLAS that is older than the processor takes its slowest kernel; it is told
# the fastest that the processor can run.
if grep -qw avx512bw /proc/cpuinfo; then
  export OPENBLAS_CORETYPE=SkylakeX
elif grep -qw avx2 /proc/cpuinfo; then
  export OPENBLAS_CORETYPE=Haswell
fi
exec go run ./selector/bench "$@"
