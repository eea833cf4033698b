#!/usr/bin/env bash
# ./run without a display must say so in one line, name the headless programs, and fail.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
said=$(env -u DISPLAY -u WAYLAND_DISPLAY ./run 2>&1 </dev/null) || status=$?
[ "$status" -ne 0 ] || { echo "./run succeeded without a display"; exit 1; }
[ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] || { echo "expected one line, got: $said"; exit 1; }
case "$said" in *lanescope-cli*xvfb-run*) ;; *) echo "the headless way out is not named: $said"; exit 1 ;; esac
for script in run test .ci/run third_party/packages.sh cmake/*.sh; do bash -n "$script"; done
echo "scripts are in order"
