#!/usr/bin/env bash
# Includes point one way between folders: each includes itself and those above it in this list. Tests may
# include anything. Nothing in sim/ knows kernels/ or app/, the worker knows of sim/ only what travels with it,
# and only the worker includes CUDA. In app/ only base and platform ask the system for variables and processes.
set -euo pipefail
cd "$(dirname "$0")/.."
order="sim/base sim/memory sim/language/text sim/language/parse sim/language/check kernels/strategies kernels/protocol kernels/worker
  sim/machine/compile sim/machine/run sim/trace sim/sass sim/host
  app/base app/launch app/analysis app/workbench app/gpu app/course app/pictures/base app/pictures app/paint app/export
  app/panels/base app/panels app/window app/platform app/cli app"

git ls-files --cached --others --exclude-standard '*.h' '*.cpp' '*.cu' '*.def' | grep -v /tests/ | while IFS= read -r file; do
  [ ! -f "$file" ] || grep -Hn '^ *# *include' "$file" || true
done | awk -v order="$order" '
  BEGIN { for (count = split(order, folders, /[ \n]+/); count > 0; --count) rank[folders[count]] = count }
  # The first folder of the list that the path is in, the longest first.
  function folderOf(path) {
    while (sub(/\/[^\/]*$/, "", path)) if (path in rank) return path
    return ""
  }
  {
    match($0, /:[0-9]+:/)
    file = substr($0, 1, RSTART - 1); place = substr($0, 1, RSTART + RLENGTH - 2)
    included = $0; sub(/^[^"<]*["<]/, "", included); sub(/[">].*/, "", included)
    from = folderOf(file); to = folderOf(included); why = ""
    if (included ~ /^(cuda|cub\/|nvrtc|cooperative_groups)/ && file !~ /^(kernels|sim\/host\/include)\//) why = "only kernels/ includes CUDA"
    else if (from == "" || to == "") next
    else if (rank[to] > rank[from]) why = from " is below " to
    else if (from ~ /^sim\// && to !~ /^sim\//) why = "sim/ knows nothing of " to
    if (why == "") next
    print place ": includes " included ": " why; failed = 1
  }
  END { exit failed }'

if git grep --untracked -nE 'getenv|posix_spawn|popen|[^a-z]fork\(\)|/proc/' -- 'app/*.h' 'app/*.cpp' \
  ':!app/*/tests/*' ':!app/tests/*' ':!app/base/*' ':!app/platform/*'; then
  echo "Ask app/base/host.h or app/base/child_process.h instead."
  exit 1
fi
