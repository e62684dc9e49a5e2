#!/usr/bin/env bash
# Measures how the service answers under load: 50 pools of 500 candidates a second for
# a minute, then the same beside a pool of 16 MiB, a pool of 5,000 candidates and a
# client that sends slowly. Flags are those of load: -for 10s, -rate 20, -strict.
set -euo pipefail
cd "$(dirname "$0")/../../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
go build -o "$scratch/pacms" .
go run ./capture/service/load "$@" "$scratch/pacms" "$scratch"
