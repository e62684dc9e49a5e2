#!/usr/bin/env bash
# Measures the program as it is used, in a pseudo-terminal: the first frame of a
# session with 5,000 candidates, a key to its frame, a drag across the budget bar
# while texts are being embedded, a question that comes in to its picture, and memory.
# About two minutes; "run.sh live" measures only what follows a session.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
go build -o "$scratch/pacms" .
go run ./tui/speed "$scratch/pacms" "$scratch" "$@"
