#!/usr/bin/env bash
# strace 6.1 (Debian package 6.1-0.1): with -f and -z, some lines begin in the middle of a call.
#
# Expected: each line of a log of several processes begins with the process, and a call that was interrupted goes on as
# `PID <... NAME resumed>`. -z prints only the calls that succeed, and prints them as they are without it.
#
# Seen: strace holds a call that waits back until it knows the result. Then it prints the call as unfinished, and the rest right behind
# it, on a line without process and name. With -t, that line has no time either:
#     501 +++ exited with 3 +++
#     500 wait4(501,  <unfinished ...>
#     [{WIFEXITED(s) && WEXITSTATUS(s) == 3}], 0, NULL) = 501
# Without -z the call begins before the exit, and ends after it with `500 <... wait4 resumed>[{WIFEXITED(s) && ...`.
#
# Why it matters: the result, and with -T the duration, are on a line that no filter by process or name finds. The calls that wait, which
# are those that take longest, seem never to return, and a reader that expects a process refuses the log. With -t, times
# run backwards: the call's beginning is printed where the call ends.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp"
fail() { echo "strace-successful-without-head: changed: $*" >&2; exit 1; }
skip() { echo "strace-successful-without-head: $*" >&2; exit 2; }

apt-get download -q strace=6.1-0.1 libunwind8 >/dev/null 2>&1 ||
    skip "cannot get strace=6.1-0.1 of Debian 12 (apt-get update first?)"
for package in *.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(dirname "$(find "$tmp/root" -name 'libunwind.so.8')")
# A process that waits for its child, which sleeps and exits with 3.
# shellcheck disable=SC2016
trace() {
    LD_LIBRARY_PATH=$LD_LIBRARY_PATH timeout 60 root/usr/bin/strace -f -e trace=wait4 -o "$1" "${@:2}" -- perl -e '
        my $child = fork;
        if (!$child) { select undef, undef, undef, 0.5; exit 3 }
        waitpid $child, 0;' </dev/null 2>errors || skip "strace may not run a program here: $(head -n 1 errors)"
}
trace all
trace successful -z
trace timed -z -ttt -T
end='\[\{WIFEXITED\(s\) && WEXITSTATUS\(s\) == 3\}\], 0, NULL\) = [0-9]+'

grep -Eq "^[0-9]+ <\.\.\. wait4 resumed>$end$" all || fail "without -z the log is: $(cat all)"
grep -Ev '^[0-9]+ ' all && fail "there are such lines without -z"
[ "$(sed -n 1p successful | cut -d' ' -f2-)" = '+++ exited with 3 +++' ] || fail "the log begins otherwise: $(cat successful)"
sed -n 2p successful | grep -Eq '^[0-9]+ wait4\([0-9-]+,  <unfinished \.\.\.>$' || fail "the call is not unfinished: $(cat successful)"
sed -n 3p successful | grep -Eq "^$end$" || fail "the end has a head: $(cat successful)"
sed -n 3p timed | grep -Eq "^$end <[0-9.]+>$" || fail "with times the end has a head: $(cat timed)"
awk 'NR == 1 { first = $2 } NR == 2 { exit !($2 + 0.2 < first) }' timed || fail "times run forwards: $(cat timed)"
echo "strace -f -z prints of a wait4: $(sed -n '2,3p' successful | paste -sd'|')"
