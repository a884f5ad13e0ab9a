#!/usr/bin/env bash
# perf 6.1 (Debian package linux-perf 6.1.*): `perf data convert --to-json` leaves out the event, the period and the CPU of samples.
#
# Expected: the JSON holds what `perf script` prints of a sample, as it is there so that other tools need not read perf.data: which
# event it is of, and for how many events it stands (the period), both of which are in the file.
#
# Seen: of samples of hardware and software events there are `timestamp`, `pid`, `tid`, `comm` and `callchain`, no more. The headers
# don't name the events either (only the command line does). Samples of cpu-clock, one a ms, and of page faults, one each, stand
# side by side and look alike:
#     perf script   10 of cpu-clock with period 1000000, 50 of page-faults with period 1 (say)
#     JSON          60 samples
#
# Why it matters: a flame graph of this JSON adds page faults and milliseconds up, and weighs all samples alike: with a frequency
# (perf's default for hardware events) periods differ by orders of magnitude, above all at the beginning. Only files of one event
# with a fixed period can be read so. Raw addresses and symbols are there, so the loss is easy to miss.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
fail() { echo "perf-json-without-events: changed: $*" >&2; exit 1; }
skip() { echo "perf-json-without-events: $*" >&2; exit 2; }

command -v perf >/dev/null || skip "perf is needed (Debian 12: apt-get install linux-perf)"
version=$(perf version | grep -oE '[0-9]+\.[0-9]+' | head -n 1)
[ "$version" = 6.1 ] || skip "this is about perf 6.1, and here is $version"

perf record -q -e cpu-clock/period=1000000/ -e page-faults/period=1/ -o perf.data -- \
    perl -e 'my @a = map { "x" x 5000 } 1 .. 500; my $x = 0; $x += $_ for 1 .. 3000000' >/dev/null 2>errors ||
    skip "perf may not record here: $(head -n 1 errors)"
perf data convert -i perf.data --to-json samples.json --force >/dev/null 2>errors || fail "perf cannot convert: $(cat errors)"

script=$(perf script -i perf.data -F event,period 2>/dev/null)
clock=$(grep -c 'cpu-clock' <<<"$script" || true) faults=$(grep -c 'page-faults' <<<"$script" || true)
if [ "$clock" = 0 ] || [ "$faults" = 0 ]; then skip "there are $clock and $faults samples of the two events"; fi
perl -MJSON::PP -e '
    local $/;
    open my $file, "<", "samples.json" or die;
    my $all = JSON::PP->new->decode(<$file>);
    my %names;
    $names{$_}++ for map { keys %$_ } @{$all->{samples}};
    print scalar(@{$all->{samples}}), " ", join(",", sort keys %names), "\n";' >names || fail "the JSON cannot be read"
read -r samples names <names
[ "$samples" = $((clock + faults)) ] || fail "there are $samples samples of $((clock + faults))"
[ "$names" = 'callchain,comm,pid,tid,timestamp' ] || fail "samples have $names"
echo "perf's JSON has $samples samples of two events and no word about which is of which ($clock and $faults)."
