#!/usr/bin/env bash
# Includes point one way between folders: each includes itself and those above it in this list. Tests may
# include anything. Nothing in sim/ knows kernels/ or app/, the worker knows of sim/ only what travels with it,
# and only the worker includes CUDA.
set -euo pipefail
cd "$(dirname "$0")/.."
order="sim/base sim/language/text sim/language/parse sim/language/check sim/memory kernels/strategies kernels/worker
  sim/machine/compile sim/machine/run sim/machine/luck sim/observe sim/trace sim/host
  app/session/base app/session/glossary app/session/launch app/session/document app/session/program app/session/walk app/session/quiz
  app/session/gpu app/session/profile app/session/sass/code app/session/sass/sites app/session/sass/execute app/session/sass
  app/session/floors app/session/compare app/session/run app/session/guide
  app/scene/base app/scene/banks app/scene/tiles app/scene/grid app/scene/source app/scene/warps app/scene/timeline
  app/scene/ladder app/scene/charts app/scene/compare app/scene/plan app/paint app/export/base app/export/page app/export
  app/views/base app/views/gpu app/views/pictures app/views/lesson app/views/quiz app/views/guide app/views/source
  app/views/compare app/views/dialogs app/views/window
  app/platform app/cli app"

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
