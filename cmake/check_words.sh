#!/usr/bin/env bash
# Plain words in the comments of all sources and scripts and in the prose of README.md and ARCHITECTURE.md: none of
# the phrases below, and `where` at most half as often as `if`: a condition is `if`, `unless` or `when`.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files --cached --others --exclude-standard '*.cpp' '*.h' '*.cu' '*.def' '*.sh' '*.cmake' '*CMakeLists.txt' \
  '*README.md' ARCHITECTURE.md run test | while IFS= read -r file; do
  [ ! -f "$file" ] || [ "$file" = cmake/check_words.sh ] || printf '%s\0' "$file"
done | xargs -0 awk '
  function phrase(pattern, mend) { patterns[++count] = pattern; mends[count] = mend }
  BEGIN {
    phrase(" at hand[^a-z]", "current")
    phrase(" (go|goes|going|went) on[^a-z-]", "continue, or: is next")
    phrase(" lets? go[^a-z]", "clears, releases")
    phrase(" (give|gives|gave) way[^a-z]", "is hidden by, is replaced by")
    phrase("[^a-z](nobody|whom)[^a-z]", "unused, nothing: no people for code")
    phrase("[^a-z](is|are|be|been|was|were) told [^a]", "is notified, gets")
    phrase(" (has|have) not[^a-z -]", "has no ...")
    phrase("; may be empty", "Can be empty.")
    phrase("[^a-z](one|bytes?|words?|values?|floats?|lanes?) an? (warp|block|thread|lane|step|bank|wavefront)[^a-z]", "per ...")
  }
  # The text of a line that is prose, in lower case between two spaces; "" if there is none.
  function prose(line) {
    if (FILENAME ~ /\.md$/) {
      if (line ~ /^ *```/) fenced = !fenced
      if (fenced || line ~ /^ *```/) return ""
    } else if (FILENAME ~ /\.(cpp|h|cu|def)$/) {
      if (line ~ /^ *\/\//) sub(/^ *\/\/+/, "", line)
      else if (match(line, /[;{}),] +\/\/ /)) line = substr(line, RSTART + RLENGTH)
      else return ""
    } else if (!sub(/^ *#+ /, "", line)) return ""
    return " " tolower(line) " "
  }
  function times(text, word,   found) {
    for (found = 0; match(text, "[^a-z]" word "[^a-z]"); ++found) text = substr(text, RSTART + RLENGTH - 1)
    return found
  }
  function report(what, mend) { print FILENAME ":" FNR ": \"" what "\": write " mend; failed = 1 }
  FNR == 1 { fenced = 0; last = "" }
  {
    text = prose($0)
    for (i = 1; i <= count; ++i) if (match(text, patterns[i])) report(substr(text, RSTART + 1, RLENGTH - 2), mends[i])
    # A sentence begins with the first word of a comment, or after the end of another sentence.
    if (FILENAME !~ /\.md$/ && $0 ~ /^ *[\/#]/ && (last == "" || last ~ /[.:!?] +$/)) {
      if (text ~ /^ +whether /) report("Whether ...", "True if ...")
      if (text ~ /^ +of (a|an|the) /) report("Of ...", "the thing that is meant")
    }
    ifs += times(text, "if") + times(text, "unless")
    if (n = times(text, "where")) { wheres += n; places = places FILENAME ":" FNR ": where\n" }
    last = text
  }
  END {
    if (2 * wheres > ifs) {
      printf "%s%d times where, %d times if or unless: write if for a condition\n", places, wheres, ifs
      failed = 1
    }
    exit failed
  }' || exit 1
