#!/bin/bash
# What it costs a program with a window to show a file: window_beside.sh NAME DISPLAY COMMAND...
#   window_beside.sh dscope :78 build/release/bin/dscope-gui perf.data
#   window_beside.sh hotspot :78 hotspot perf.data
# Processor time of the program and its children until it has been idle for five seconds, its memory, and NAME.png of the whole screen.
# Needs Xvfb, xwininfo and ImageMagick's import. docs/guide/beside-other-windows.md has what came out.
n=$1
d=$2
shift 2
own_x=$(mktemp -d)
Xvfb "$d" -screen 0 1600x1000x24 >/dev/null 2>&1 &
x=$!
export DISPLAY="$d" XDG_RUNTIME_DIR="$own_x"
timeout 60 sh -c 'until xwininfo -root >/dev/null 2>&1; do sleep 1; done'
"$@" >"$own_x/log" 2>&1 &
h=$!
ran() { for t in /proc/"$1"/task/*/schedstat; do cut -d" " -f1 "$t" 2>/dev/null; done | paste -s -d + | sed 's/^$/0/'; }
last=0 same=0 begun=$(date +%s%N)
busy=$begun
while [ $same -lt 20 ] && [ -d /proc/$h ]; do
  sleep 0.25
  sum=$(($(ran $h)))
  for p in $(pgrep -P $h); do sum=$((sum + $(ran "$p"))); done
  ended=$(sed 's/.*) //' /proc/$h/stat | awk '{ print ($14 + $15) * 10000000 }')
  sum=$((sum + ended))
  if [ $((sum - last)) -lt 15000000 ]; then same=$((same + 1)); else same=0 busy=$(date +%s%N); fi
  last=$sum
done
echo "$n: cpu $((last / 1000000)) ms (of children that ended $((ended / 1000000))), idle after $(((busy - begun) / 1000000)) ms, $(grep -h -E 'VmHWM|RssAnon' /proc/$h/status | tr -s ' \t' ' ' | paste -s -d ' ')"
import -window root "$n.png" 2>/dev/null || true
kill $h $x
