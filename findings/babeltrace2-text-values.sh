#!/usr/bin/env bash
# babeltrace2 2.0.4 (Debian package 2.0.4-1+b6): its text has six digits of floating-point numbers, and negative octal numbers that
# are too wide.
#
# Expected: the text of a trace, which is what `babeltrace2 TRACE` prints and other tools read, tells values as they are: a double
# needs up to 17 digits for that (%.17g), or at least as many as make 1700000000.5 and 1700000001.25 different. A signed integer
# of 8 bits that is shown in base 8 is either -1 or, as its bits, 0377.
#
# Seen: doubles are printed as by C's %g, and the bits of a negative octal number are filled up to whole octal digits, so that the
# 8 bits of -1 become 9:
#     d = 1700000000.5   ->   d = 1.7e+09
#     d = 1700000001.25  ->   d = 1.7e+09
#     o = -1 (8 bits)    ->   o = 0777 (511)
#     h = -1 (8 bits)    ->   h = 0xFF
# sink.text.details of the same program has 1700000000.500000 and -01.
#
# Why it matters: times in seconds, sums of bytes and anything over a million lose what made them worth recording, in a text that
# looks complete, and a reader of the text cannot get it back. 0777 read as octal is no value that the field can have. Who needs
# floating-point payloads must use another sink than the usual one, or libbabeltrace2.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp"
fail() { echo "babeltrace2-text-values: changed: $*" >&2; exit 1; }

apt-get download -q babeltrace2=2.0.4-1+b6 libbabeltrace2-0=2.0.4-1+b6 >/dev/null 2>&1 ||
    { echo "babeltrace2-text-values: cannot get babeltrace2=2.0.4-1+b6 of Debian 12 (apt-get update first?)" >&2; exit 2; }
for package in *.deb; do dpkg -x "$package" root; done
lib=$(dirname "$(find "$tmp/root" -name 'libbabeltrace2.so.0')")
export LD_LIBRARY_PATH=$lib BABELTRACE_PLUGIN_PATH=$lib/babeltrace2/plugins
export LIBBABELTRACE2_PLUGIN_PROVIDER_DIR=$lib/babeltrace2/plugin-providers

# A trace in CTF 1.8 with two events of one kind.
mkdir trace
cat >trace/metadata <<'E'
/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
clock { name = c; freq = 1000000000; };
stream { event.header := struct { integer { size = 64; map = clock.c.value; } timestamp; integer { size = 16; } id; }; };
event {
    name = "e"; id = 0;
    fields := struct {
        floating_point { exp_dig = 11; mant_dig = 53; align = 8; } d;
        integer { size = 8; signed = true; base = 8; } o;
        integer { size = 8; signed = true; base = 16; } h;
    };
};
E
perl -e 'print pack("Q<S<d<cc", 1, 0, 1700000000.5, -1, -1), pack("Q<S<d<cc", 2, 0, 1700000001.25, -8, -8)' >trace/stream

root/usr/bin/babeltrace2 trace >text
root/usr/bin/babeltrace2 trace --component=sink.text.details >details
[ "$(grep -c ' d = 1\.7e+09,' text)" = 2 ] || fail "the doubles are: $(cat text)"
grep -q 'o = 0777, h = 0xFF ' text || fail "-1 in octal is: $(cat text)"
grep -q 'o = 0770, h = 0xF8 ' text || fail "-8 in octal is: $(cat text)"
grep -q 'd: 1700000000\.500000' details || fail "sink.text.details has other doubles"
grep -Eq 'o: -01$' details || fail "sink.text.details has other octal numbers"
echo "babeltrace2 prints the doubles 1700000000.5 and 1700000001.25 both as 1.7e+09, and -1 of 8 bits as 0777."
