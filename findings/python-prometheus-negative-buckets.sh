#!/usr/bin/env bash
# Prometheus' Python client 0.16.0 (Debian package python3-prometheus-client 0.16.0-0.1): its parser refuses its own OpenMetrics text
# if a histogram has a bucket for negative values.
#
# Expected: the library's reader of OpenMetrics takes what the library's writer of OpenMetrics makes of a valid histogram.
#
# Seen: the writer leaves _sum out of such a histogram, since a sum that may fall is no counter, but it writes _count. The reader wants
# both or neither, as OpenMetrics does, and refuses the whole text, other metrics included:
#     h_bucket{le="-1.0"} 0.0
#     h_bucket{le="1.0"} 1.0
#     h_bucket{le="+Inf"} 1.0
#     h_count 1.0
#     ValueError: _sum/_gsum must be present if _count is present: h
# It takes the text if the buckets are 0 and 1, or if _count is missing. The writer of Prometheus' older text makes the same samples,
# and the reader of that text takes them.
#
# Why it matters: differences have negative values (a clock's error, a queue's growth, lateness). One such histogram makes a service
# unreadable for each tool that uses this parser, although readers that check less read it. An exporter has no good way out: with a
# _sum it says that there are no negative values, and without _count it lacks what queries of rates use.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp"
fail() { echo "python-prometheus-negative-buckets: changed: $*" >&2; exit 1; }

command -v python3 >/dev/null || { echo "python-prometheus-negative-buckets: python3 is needed" >&2; exit 2; }
apt-get download -q python3-prometheus-client=0.16.0-0.1 >/dev/null 2>&1 ||
    { echo "python-prometheus-negative-buckets: cannot get python3-prometheus-client=0.16.0-0.1 of Debian 12 (apt-get update first?)" >&2; exit 2; }
dpkg -x ./*.deb root
cat >try.py <<'PY'
import sys
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as openmetrics
from prometheus_client.openmetrics.parser import text_string_to_metric_families as read_openmetrics
from prometheus_client.parser import text_string_to_metric_families as read_text

def check(what, is_so):
    if not is_so:
        sys.exit('changed: ' + what)

def of(buckets):
    registry = CollectorRegistry()
    Counter('others', 'a counter', registry=registry).inc()
    Histogram('h', 'a histogram', buckets=buckets, registry=registry).observe(0.5)
    return registry

def refusal(text):
    try:
        return '' if list(read_openmetrics(text)) else 'nothing'
    except ValueError as error:
        return str(error)

negative = openmetrics(of([-1, 1])).decode()
check('the histogram is written as ' + negative, 'h_count 1.0\n' in negative and 'h_sum' not in negative)
said = refusal(negative)
check('the parser says "%s"' % said, said == '_sum/_gsum must be present if _count is present: h')
check('other buckets are refused', refusal(openmetrics(of([0, 1])).decode()) == '')
check('it is refused without _count', refusal(negative.replace('h_count 1.0\n', '')) == '')
names = [s.name for m in read_text(generate_latest(of([-1, 1])).decode()) for s in m.samples]
check('the older text has ' + str(names), 'h_count' in names and 'h_sum' not in names)
print('The OpenMetrics text of a histogram with negative buckets is refused by the library that wrote it: ' + said)
PY
PYTHONPATH=root/usr/lib/python3/dist-packages timeout 60 python3 try.py
