#!/usr/bin/env python3
"""What `--publish` costs a traced host: processor time of dscope and bytes that reach the broker, a second, for numbers of keys that all change.

usage: publish.py DSCOPE [SECONDS]

Needs root and nats-server. A program seeks to as many places as there are keys, again and again; each place is a key of one
aggregation, which is read once a second (-x aggrate=1s). The processor's time is that of the dscope process, from its threads' schedstat, after five
seconds to begin; what a probe costs is in the traced program's time, not in this. Each number of keys is measured with the aggregation
read and printed nowhere (`--record` to a file in memory) and, in its place, published.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

WORK = """
import os, time
fd = os.open('/dev/zero', os.O_RDONLY)
while True:
    begin = time.monotonic()
    for place in range({keys}):
        os.lseek(fd, place, os.SEEK_SET)
    time.sleep(max(0, 0.5 - (time.monotonic() - begin)))
"""
BEGIN = 5


def cpu(pid):
    """Seconds that its threads ran, to the nanosecond. Source: Documentation/scheduler/sched-stats.rst, /proc/PID/schedstat."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def received(monitor):
    with urllib.request.urlopen(f"http://127.0.0.1:{monitor}/varz") as answer:
        return json.load(answer)["in_bytes"]


def measure(dscope, keys, seconds, folder, arguments, monitor):
    with open(f"{folder}/work.py", "w") as file:
        file.write(WORK.format(keys=keys))
    program = "syscall::lseek:entry /pid == $target/ { @places[arg1] = count(); }"
    process = subprocess.Popen(
        [dscope, "-qn", program, "-x", "aggrate=1s", "-c", f"{sys.executable} {folder}/work.py"] + arguments,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        time.sleep(BEGIN)
        if process.poll() is not None:
            sys.exit(process.stderr.read().decode())
        before, bytes_before, begin = cpu(process.pid), received(monitor), time.monotonic()
        time.sleep(seconds)
        took = time.monotonic() - begin
        return (cpu(process.pid) - before) / took, (received(monitor) - bytes_before) / took
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def main():
    dscope = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 30
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(["nats-server", "-a", "127.0.0.1", "-p", "-1", "-m", "-1", "-js", "-sd", folder, "--ports_file_dir", folder],
                                  stderr=subprocess.DEVNULL)
        try:
            path = f"{folder}/nats-server_{server.pid}.ports"
            while not os.path.exists(path):
                time.sleep(0.05)
            time.sleep(0.2)
            with open(path) as file:
                ports = json.load(file)
            url, monitor = ports["nats"][0], ports["monitoring"][0].rsplit(":", 1)[1]
            print("| keys | dscope that records, of a CPU | that publishes | bytes a second |\n| --- | --- | --- | --- |")
            for keys in 100, 1_000, 10_000:
                record = measure(dscope, keys, seconds, folder, ["--record", f"/dev/shm/publish-{os.getpid()}.dscope"], monitor)[0]
                publish, sent = measure(dscope, keys, seconds, folder, ["--publish", f"{url}/keys-{keys}"], monitor)
                os.unlink(f"/dev/shm/publish-{os.getpid()}.dscope")
                print(f"| {keys:,} | {record:.2%} | {publish:.2%} | {sent:,.0f} |", flush=True)
        finally:
            server.terminate()
            server.wait()


main()
