#!/usr/bin/env bash
# Prints the size of what a page loads of the JavaScript client, and fails above the limit: client_size.sh FOLDER
set -euo pipefail
cd "$1"

# 8 KB, for what a bundler makes of the modules that every page loads. Those for tickets, tokens and tabs without workers are loaded when
# they are needed, and the worker is loaded once for all tabs.
limit=8192
size() { esbuild --bundle --minify --format=esm "$@" | gzip -9 | wc -c; }

core=$(size --external:./hub.js --external:./leader.js --external:./ticket.js --external:./token.js granary.js)
printf '%d bytes of a page and %d of its worker, minified and with gzip\n' "$core" "$(size worker.js)"
[ "$core" -le "$limit" ] || {
    printf 'expected at most %d bytes, got %d\n' "$limit" "$core" >&2
    exit 1
}
