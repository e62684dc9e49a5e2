#!/usr/bin/env bash
# record.sh DIR [HOME]: records the demo again.
#
#   DIR   where Node and OpenClaw are put through npm (860 MB, once) and where the
#         gateway's log goes
#   HOME  the gateway's home, default /home/ada: it stands in the recorded texts.
#         It must not exist; it is made for the recording and removed afterwards.
#
# Writes session.jsonl and story.json into the folder above this one.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
dir=${1:?usage: record.sh DIR [HOME]}
home=${2:-/home/ada}
node_version=26.10.0
openclaw_version=2026.9.6

for tool in npm go git; do
  command -v "$tool" >/dev/null || { echo "record.sh: $tool is needed and was not found" >&2; exit 1; }
done
if [ -e "$home" ]; then
  echo "record.sh: $home exists; name a home that does not: record.sh DIR HOME" >&2
  exit 1
fi

mkdir -p "$dir/node" "$dir/app" "$dir/out"
dir=$(cd "$dir" && pwd)
install() { # FOLDER COMMAND PACKAGE
  [ -x "$dir/$1/node_modules/.bin/$2" ] || (cd "$dir/$1" && npm init -y >/dev/null && npm install --no-audit --no-fund "$3")
}
install node node "node@$node_version"
export PATH=$dir/node/node_modules/node/bin:$PATH
install app openclaw "openclaw@$openclaw_version"

mkdir -p "$home" || { echo "record.sh: name a home that you may create: record.sh DIR HOME" >&2; exit 1; }
trap 'rm -rf "$home"' EXIT
node "$here/record.mjs" "$dir/app/node_modules/.bin" "$home" "$dir/out"
cp "$dir/out/session.jsonl" "$dir/out/story.json" "$here/.."
