#!/bin/bash
# Drives the real window under Xvfb with xdotool and looks at pixels that must change.
# Usage: window_test.sh PATH-OF-LANESCOPE. Exit status 77 where a tool that it needs is missing.
set -u
program=$1

for tool in xvfb-run xdotool import compare; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: $tool is not installed (apt-get install xvfb xauth xdotool imagemagick)"
    exit 77
  fi
done
if [ -z "${LANESCOPE_INSIDE_XVFB:-}" ]; then
  LANESCOPE_INSIDE_XVFB=1 exec xvfb-run -a -s "-screen 0 1280x720x24 -noreset" "$0" "$program"
fi

work=$(mktemp -d)
export XDG_CONFIG_HOME=$work/config
app=
finish() {
  [ -n "$app" ] && kill "$app" 2>/dev/null && wait "$app" 2>/dev/null
  [ -n "${KEEP:-}" ] && cp "$work"/*.png "$KEEP"; rm -rf "$work"
}
trap finish EXIT
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# Regions of a 1280x720 window: WIDTHxHEIGHT+X+Y.
ladder=530x200+325+62
source_text=310x170+905+78
counters=330x105+930+446
timeline=1240x60+16+645
editor_text=310x290+905+78
report=330x150+905+268
bad='#A31916'  # of the light theme
card=270x540+12+60  # of the first lesson
everything=1280x720+0+0
pictures=860x720+0+0  # and the lesson: all to the left of the source

shot() { import -silent -window root "$work/$1.png"; }
# Pixels in which two shots differ within a region.
differing() {
  compare -metric AE -extract "$3" "$work/$1.png" "$work/$2.png" null: 2>&1 | awk '{printf "%d", $1}'
}
# Shots until the region differs from an earlier one (up to 20 s); leaves the last as $2.
expect_change() {  # what before after region
  local n=0
  for _ in $(seq 100); do
    shot "$3"
    n=$(differing "$2" "$3" "$4")
    [ "${n:-0}" -gt 30 ] && { echo "ok: $1 ($n pixels)"; return 0; }
    sleep 0.2
  done
  fail "$1: the picture did not change"
}
# True if no thread of the app runs or is ready to: it has taken all input, drawn it, and waits.
waits() {
  for _ in 1 2 3 4 5; do
    [ -z "$(awk '{sub(/.*\) /, "")} $1 != "S"' "/proc/$app/task"/*/stat 2>/dev/null)" ] || return 1
    sleep 0.02
  done
}
# Shots until the app waits and two in a row are equal (up to 30 s). Equal shots alone would also be those of an
# app that a loaded machine has not let begin.
settle() {  # name
  shot "$1"
  for _ in $(seq 100); do
    sleep 0.1
    waits || continue
    cp "$work/$1.png" "$work/previous.png"
    shot "$1"
    [ "$(differing previous "$1" "$everything")" = 0 ] && return 0
  done
  fail "the window does not come to rest ($1)"
}
# Pixels of a region in a colour.
coloured() {  # name region colour
  convert "$work/$1.png" -crop "$2" +repage -fuzz 3% -fill black +opaque "$3" -fuzz 0 -fill white +opaque black \
    -format '%[fx:int(mean*w*h+0.5)]' info:
}
waits_so_far() { awk '/^voluntary_ctxt_switches/ {print $2}' "/proc/$app/task/$app/status"; }

# Opens the window with those options, at the screen's top left, the pointer on nothing.
start_app() {
  "$program" --own-file-dialogs --size 1280x720 --worker /nonexistent/lanescope-gpu "$@" 2>"$work/stderr" &
  app=$!
  local window=
  for _ in $(seq 100); do
    window=$(xdotool search --onlyvisible --name '^Lanescope$' 2>/dev/null | head -1)
    [ -n "$window" ] && break
    kill -0 "$app" 2>/dev/null || break
    sleep 0.2
  done
  if [ -z "$window" ]; then
    cat "$work/stderr"
    fail "no window appeared"
    exit 1
  fi
  xdotool windowmove "$window" 0 0 2>/dev/null
  xdotool windowfocus "$window" 2>/dev/null
  xdotool mousemove 45 26
}
# What it said on stderr. Mesa complains there, too, where it finds no GPU.
said() { grep -v -E '^(MESA|glx|libEGL|libGL)[: -]|XDG_RUNTIME_DIR' "$work/stderr"; }
# Ends it; it must still be there and have said nothing.
stop_app() {
  kill -0 "$app" 2>/dev/null || fail "the app is no longer running"
  [ -n "$(said)" ] && { said; fail "the app wrote to stderr"; }
  kill "$app" 2>/dev/null
  wait "$app" 2>/dev/null
  app=
}

# The first start of all begins with the first lesson; a later one does not.
shot empty
start_app
expect_change "the window is drawn" empty guided "$everything"
settle guided
xdotool key Right Right Right
expect_change "three steps answer the first card" guided answered "$card"
settle answered
xdotool key Return
expect_change "Return continues with the next card" answered card2 "$card"
settle card2
xdotool key Escape
expect_change "Escape leaves the first lesson" card2 left_lesson "$card"
settle left_lesson
stop_app
grep -q '"lesson_card": "lane"' "$XDG_CONFIG_HOME/lanescope/settings.json" || fail "the card is not remembered"
start_app
expect_change "the window is drawn without the lesson" guided plain "$card"
settle plain
xdotool key shift+F1
expect_change "Shift+F1 continues the lesson" plain resumed "$card"
settle resumed
[ "$(differing card2 resumed "$card")" -lt 40 ] || fail "the lesson does not continue at the card that was left"
stop_app
start_app --strategy no-divergence --n 64
expect_change "the window is drawn for a strategy" plain opened "$everything"
settle opened

xdotool key Home
expect_change "Home goes to the start" opened start "$timeline"
settle start
xdotool key Right
expect_change "Right moves the source line" start stepped "$source_text"
xdotool key Right Right Right Right
expect_change "more steps fill the ladder" start laddered "$ladder"
settle laddered
xdotool key Left Left Left Left Left
settle again
for region in "$ladder" "$counters" "$timeline"; do
  [ "$(differing start again "$region")" = 0 ] || fail "five steps back do not restore $region"
done

xdotool key End
expect_change "End changes the counters" start end "$counters"
expect_change "End fills the ladder" start end "$ladder"
settle end

xdotool key Home
settle start2
xdotool key plus plus plus plus
xdotool key space
expect_change "Space plays" start2 playing "$timeline"
xdotool key space
settle paused

# A click on the timeline, near its end, and a lesson that is searched for.
xdotool mousemove 1100 690 click 1
expect_change "a click on the timeline goes there" paused scrubbed "$timeline"
xdotool mousemove 45 26
settle scrubbed
xdotool key ctrl+f
expect_change "Ctrl+F opens the list of lessons over the column" scrubbed listed "$card"
xdotool type --delay 20 "no-bank-conflict"
settle searched
xdotool key Return
expect_change "Return opens the lesson that is found" scrubbed other "$source_text"
settle other
xdotool key t
expect_change "T changes the theme" other light "$everything"
settle light

# A pointed lane lights up in the other pictures.
xdotool mousemove 420 318
expect_change "a pointed lane lights up the ladder" light lit "$everything"

# What was open is open again at its start, unless something else is named.
xdotool mousemove 45 26
xdotool key Home
settle home
stop_app
start_app
expect_change "the window is drawn once more" empty restarted "$everything"
settle restarted
[ "$(differing home restarted "$source_text")" -lt 40 ] || fail "a start does not open what was open"

# A button acts where the pointer was, however quick a drag begins; a double click undoes it.
xdotool mousemove 863 300
settle divider
xdotool mousedown 1 mousemove 790 300 sleep 0.3 mousemove 780 300 sleep 0.3 mouseup 1
expect_change "a quick drag moves the source's edge" divider dragged "$source_text"
settle dragged
xdotool click --repeat 2 --delay 60 1
expect_change "a double click moves it back" dragged undragged "$source_text"

# The editor: the loop's barrier goes, Ctrl+Enter runs it, the race is reported below the text; undone, it is gone.
stop_app
start_app --strategy baseline --n 64
expect_change "the window is drawn again" empty own "$source_text"
settle own
[ "$(differing light own 1240x40+16+8)" -lt 6000 ] || fail "the theme is not remembered"
xdotool mousemove 1100 118 click 1
expect_change "a click in the source puts the caret there" own caret "$source_text"
settle caret
xdotool key ctrl+End
for _ in 1 2 3 4 5; do xdotool key Up; done
settle moved
xdotool key shift+End
xdotool key BackSpace
expect_change "BackSpace removes the barrier" moved edited "$editor_text"
settle edited
xdotool type --delay 20 "ft?"
settle typed
[ "$(differing edited typed "$ladder")" = 0 ] || fail "letters typed into the source do something else"
for _ in 1 2 3; do xdotool key BackSpace; done
xdotool key ctrl+Return
expect_change "Ctrl+Enter runs and reports the race" typed raced "$report"
xdotool mousemove 45 26  # what a pointed line lights up is no part of a session
settle raced
[ "$(coloured raced "$report" "$bad")" -gt 30 ] || fail "no race is reported after the barrier is gone"
[ "$(coloured raced "$source_text" "$bad")" -gt 10 ] || fail "the line of the race is not marked"
# Saved, it reopens as it was: the text, the place, the race.
xdotool key ctrl+s
expect_change "Ctrl+S asks for a path" raced asked "$everything"
xdotool type --delay 20 "$work/race.lanescope"
xdotool key Return
expect_change "Return saves and closes it" asked saved "$everything"
settle saved
[ -s "$work/race.lanescope" ] || fail "no session was saved"
stop_app
start_app "$work/race.lanescope"
expect_change "a session file opens" own reopened "$report"
settle reopened
for region in "$ladder" "$counters" "$timeline" "$report"; do
  [ "$(differing raced reopened "$region")" -lt 40 ] || fail "a session reopens with another $region"
done
xdotool mousemove 1100 118 click 1
settle caret2
xdotool key ctrl+z ctrl+z ctrl+z ctrl+z ctrl+z ctrl+z
settle undone
xdotool key ctrl+Return
settle mended
[ "$(coloured mended "$report" "$bad")" -lt 10 ] || fail "the race is still reported after the undo"
xdotool key Escape
xdotool mousemove 45 26
settle left

# Large, for a room, and back.
xdotool key F5
expect_change "F5 presents" left presented "$everything"
settle presented
xdotool key Escape
settle usual
# The source may have scrolled to keep its line in sight.
[ "$(differing left usual "$pictures")" -lt 40 ] || fail "Escape does not end presenting"
# The export: a typed path, Enter, and the picture lies there.
xdotool key e
settle exporting
xdotool key ctrl+a
xdotool type --delay 20 "$work/page.svg"
xdotool key Return
for _ in $(seq 100); do [ -s "$work/page.svg" ] && break; sleep 0.2; done
grep -q '</svg>' "$work/page.svg" 2>/dev/null && echo "ok: Enter writes the page" || fail "the export writes nothing"
xdotool key Escape
settle exported
[ "$(differing usual exported "$everything")" = 0 ] || fail "the export leaves something on the screen"
# Two strategies side by side, stepped together; then the table of all, and a row of it opened.
compared_right=620x350+648+60
xdotool key F2 Home
expect_change "F2 shows two strategies" left compared "$everything"
settle compared
xdotool key Down
expect_change "Down moves the one on the right too" compared stepped_both "$compared_right"
settle stepped_both
xdotool key Up
settle back_again
[ "$(differing compared back_again "$compared_right")" = 0 ] || fail "a phase back does not restore the right side"
xdotool key F3
expect_change "F3 shows the table" back_again table "$everything"
settle table
xdotool key Down
expect_change "Down moves to the next row" table row "$everything"
xdotool key Return
expect_change "Enter opens the row's strategy" row row_opened "$everything"
settle row_opened
[ "$(differing left row_opened "$source_text")" -gt 30 ] || fail "the row's strategy is not the one that is open"

# Frames draw what differs from the previous one. Hidden and shown again, the window is drawn as a whole.
xdotool key Escape c Right Right
settle in_parts
xdotool windowunmap --sync "$(xdotool search --onlyvisible --name '^Lanescope$' | head -1)"
expect_change "the window is hidden" in_parts hidden "$everything"
xdotool windowmap --sync "$(xdotool search --name '^Lanescope$' | tail -1)"
expect_change "the window is shown again" hidden shown "$everything"
settle as_a_whole
n=$(differing in_parts as_a_whole "$everything")
[ "$n" = 0 ] && echo "ok: a frame drawn in parts is the one drawn as a whole" ||
  fail "$n pixels of a frame drawn in parts differ from the frame drawn as a whole"

# Each frame ends with a wait: where the thread that draws has not waited anew, it has drawn nothing.
before=$(waits_so_far)
sleep 2
[ "$(waits_so_far)" = "$before" ] && echo "ok: no frame is drawn in two idle seconds" ||
  fail "frames are drawn while nothing happens: it woke $(($(waits_so_far) - before)) times in two seconds"

stop_app

# Ended by a signal while it writes frames: nothing half-written stays.
if grep -q libcairo <<<"$(ldd "$program")"; then
  for signal in TERM HUP; do
    start_app --strategy no-divergence --n 1024
    expect_change "the window is drawn for frames" empty framing "$everything"
    settle framing
    xdotool key e
    settle asking
    xdotool mousemove 605 182 click 1
    settle frames
    xdotool key ctrl+a
    xdotool type --delay 20 "$work/frames"
    xdotool key Return
    for _ in $(seq 100); do [ -s "$work/frames.new/0001.png" ] && break; sleep 0.1; done
    [ -s "$work/frames.new/0001.png" ] || fail "no frames are written"
    kill -s "$signal" "$app"
    wait "$app"
    status=$?
    app=
    [ "$status" = $((128 + $(kill -l "$signal"))) ] || fail "the status after SIG$signal is $status"
    if [ -e "$work/frames.new" ] || [ -e "$work/frames" ]; then
      fail "SIG$signal leaves frames"
      rm -rf "$work/frames.new" "$work/frames"
    else
      echo "ok: SIG$signal takes the frames away"
    fi
  done
fi

# As many blocks as the elements need, unless a number is given.
"$program" --strategy block-tree-atomic --n 65536 --size 1280x720 --screenshot "$work/blocks.png" ||
  fail "65,536 elements have no launch"
"$program" --strategy block-tree-atomic --n 65536 --blocks 1 --screenshot "$work/blocks.png" 2>"$work/stderr"
[ $? = 2 ] && grep -q 'more blocks: 32' "$work/stderr" || fail "one block for 65,536 elements"

# The picture without a window, and what happens without a display.
"$program" --strategy shuffle --n 8 --size 1280x720 --screenshot "$work/saved.png" || fail "--screenshot failed"
[ "$(identify -format '%wx%h' "$work/saved.png" 2>/dev/null)" = 1280x720 ] || fail "--screenshot has the wrong size"
"$program" --screenshot "$work/missing/saved.png" 2>"$work/stderr"
[ $? = 1 ] && [ "$(said | wc -l)" = 1 ] || fail "a picture that cannot be written"
"$program" --strategy nonsense 2>"$work/stderr"
[ $? = 2 ] && grep -q no-divergence "$work/stderr" || fail "a strategy that is not there"
env -u DISPLAY -u WAYLAND_DISPLAY "$program" 2>"$work/stderr"
[ $? = 1 ] && grep -q lanescope-cli "$work/stderr" || fail "no display"

[ "$failures" = 0 ] && echo "all good"
exit $((failures > 0))
