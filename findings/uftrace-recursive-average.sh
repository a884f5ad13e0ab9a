#!/usr/bin/env bash
# uftrace 0.13 (Debian package 0.13-1): of recursive functions the average is not the total divided by the calls.
#
# Expected: `uftrace report` has a function's total time, its calls and, if asked (-f), the average and maximum. Total / calls is
# the average: either all calls count in both, or only the outermost in both.
#
# Seen: the total has the outermost calls only (as it should: else recursion would count time twice), the number of calls and the
# average have all of them. With a function that sleeps 20 ms after it called itself twice:
#     total     total-avg  total-max  calls     function
#     60 ms     40 ms      60 ms      3         rec          (60 / 3 is 20)
# So average times calls is twice the time that went by, and who divides the columns gets another average than the one printed.
#
# Why it matters: sorted by average, recursive functions (parsers, tree walks) rank too high, and budgets from average times calls
# are too large by up to the depth. Other functions are not affected, so it goes unnoticed.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp"
fail() { echo "uftrace-recursive-average: changed: $*" >&2; exit 1; }

command -v gcc >/dev/null || { echo "uftrace-recursive-average: gcc is needed to build a program of ten lines with -pg" >&2; exit 2; }
apt-get download -q uftrace=0.13-1 libcapstone4 libluajit-5.1-2 libluajit-5.1-common libpython3.11 >/dev/null 2>&1 ||
    { echo "uftrace-recursive-average: cannot get uftrace=0.13-1 of Debian 12 (apt-get update first?)" >&2; exit 2; }
for package in *.deb; do dpkg -x "$package" root; done
mcount=$(dirname "$(find "$tmp/root" -name libmcount.so)")
lib=$(dirname "$mcount")

cat >example.c <<'E'
#include <time.h>
static void nap(void)
{
    struct timespec t = {0, 20000000};
    nanosleep(&t, 0);
}
void rec(int depth)
{
    if (depth) rec(depth - 1);
    nap();
}
int main(void) { rec(2); }
E
gcc -O0 -pg example.c -o example
# LD_LIBRARY_PATH: uftrace preloads libmcount.so by its name where it is not installed.
export LD_LIBRARY_PATH=$mcount:$lib
run() { timeout 60 root/usr/bin/uftrace "$@" </dev/null; }
run --version >/dev/null 2>&1 || { echo "uftrace-recursive-average: uftrace does not start here: $(run --version 2>&1)" >&2; exit 2; }
run record --no-event --no-libcall -d data ./example 2>errors || fail "cannot record: $(cat errors)"
run report --no-pager -d data -f total,total-avg,total-max,call 2>/dev/null >report

# In ms; such sleeps only ever take longer.
read -r total average most calls < <(awk '$NF == "rec" { if ($2 != "ms" || $4 != "ms" || $6 != "ms") exit; print $1, $3, $5, $7 }' report) || true
[ "${calls:-}" = 3 ] || fail "the report is: $(cat report)"
awk -v t="$total" -v m="$most" 'BEGIN { exit !(t == m) }' || fail "the total ($total ms) is no longer that of the outermost call ($most ms)"
awk -v t="$total" -v a="$average" 'BEGIN { exit !(a * 3 > t * 1.5) }' || fail "the average, $average ms, agrees with $total ms in 3 calls"
echo "uftrace says of a recursive function: 3 calls, $total ms in total, $average ms on average."
