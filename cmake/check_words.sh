#!/usr/bin/env bash
# Plain words in what people read: comments of sources and scripts, string literals of sources outside tests, and all
# Markdown. None of the phrases below; and `where` at most half as often as `if`, in strings as in the rest: a condition
# is `if`, `unless` or `when`.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files --cached --others --exclude-standard '*.cpp' '*.h' '*.cu' '*.def' '*.js' '*.sh' '*.cmake' \
  '*CMakeLists.txt' '*.md' run test | while IFS= read -r file; do
  [ ! -f "$file" ] || [ "$file" = cmake/check_words.sh ] || printf '%s\0' "$file"
done | xargs -0 awk '
  function phrase(pattern, mend) { patterns[++count] = pattern; mends[count] = mend }
  BEGIN {
    phrase(" at hand[^a-z]", "current")
    phrase(" (go|goes|going|went) on[^a-z-]", "continue, or: is next")
    phrase(" lets? go[^a-z]", "clears, releases")
    phrase(" (give|gives|gave) way[^a-z]", "is hidden by, is replaced by")
    phrase("[^a-z](nobody|whom|whoever)[^a-z]", "unused, nothing: no people for code")
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
    } else if (FILENAME ~ /\.(cpp|h|cu|def|js)$/) {
      if (line ~ /^ *\/\//) sub(/^ *\/\/+/, "", line)
      else if (match(line, /[;{}),] +\/\/ /)) line = substr(line, RSTART + RLENGTH)
      else return ""
    } else if (!sub(/^ *#+ /, "", line)) return ""
    return " " tolower(line) " "
  }
  # The sentences in the string literals of a line of the product, likewise; "" if there are none.
  function strings(line,   all) {
    if (FILENAME !~ /\.(cpp|h|cu|def|js)$/ || FILENAME ~ /(^|\/)tests\// || line ~ /^ *\/\//) return ""
    for (; match(line, /"([^"\\]|\\.)*"/); line = substr(line, RSTART + RLENGTH))
      if (substr(line, RSTART, RLENGTH) ~ / /) all = all " " substr(line, RSTART + 1, RLENGTH - 2)
    gsub(/#?if (constexpr )?\(|#if/, "", all)  # code
    return " " tolower(all) " "
  }
  function times(text, word,   found) {
    for (found = 0; match(text, "[^a-z]" word "[^a-z]"); ++found) text = substr(text, RSTART + RLENGTH - 1)
    return found
  }
  function report(what, mend) { print FILENAME ":" FNR ": \"" what "\": write " mend; failed = 1 }
  function check(text, kind,   i, n) {
    for (i = 1; i <= count; ++i) if (match(text, patterns[i])) report(substr(text, RSTART + 1, RLENGTH - 2), mends[i])
    ifs[kind] += times(text, "if") + times(text, "unless")
    if (n = times(text, "where")) { wheres[kind] += n; places[kind] = places[kind] FILENAME ":" FNR ": where\n" }
  }
  function checkShare(kind) {
    if (2 * wheres[kind] <= ifs[kind]) return
    printf "%s%s: %d times where, %d times if or unless: write if for a condition\n", places[kind], kind, wheres[kind], ifs[kind]
    failed = 1
  }
  FNR == 1 { fenced = 0; last = "" }
  {
    text = prose($0)
    check(text, FILENAME ~ /\.md$/ ? "Markdown" : "comments")
    check(strings($0), "strings")
    # A sentence begins with the first word of a comment, or after the end of another sentence.
    if (FILENAME !~ /\.md$/ && $0 ~ /^ *[\/#]/ && (last == "" || last ~ /[.:!?] +$/)) {
      if (text ~ /^ +whether /) report("Whether ...", "True if ...")
      if (text ~ /^ +of (a|an|the) /) report("Of ...", "the thing that is meant")
    }
    last = text
  }
  END {
    checkShare("comments"); checkShare("strings"); checkShare("Markdown")
    if (ENVIRON["SHOW"]) for (k in ifs) print k, wheres[k], ifs[k]
    exit failed
  }' || exit 1
