#!/usr/bin/env python3
"""Reads a recording as docs/formats.md describes it, without any code of dscope's, and checks all that is promised there.

    read_recording.py FILE    prints, as JSON, the program's text, how many records there are of each kind, the last rows
                              of each aggregation: [name, [[keys ..., data ...], ...]], the folded stacks, and the program's options
                              and facts
"""
import ctypes
import ctypes.util
import json
import struct
import sys

MAJOR, BLOCK, RECORD = 1, 1 << 20, 1 << 28


def crc_of_byte(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    return byte


CRC = [crc_of_byte(byte) for byte in range(256)]


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def decompressed(data, size):
    zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    out = ctypes.create_string_buffer(size)
    assert zstd.ZSTD_decompress(out, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data))) == size
    return out.raw


class Parts:
    """The parts of a record, taken from its beginning."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, form):
        value, = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def blob(self):
        size = self.number("I")
        assert self.at + size <= len(self.data)
        self.at += size
        return self.data[self.at - size:self.at]

    def text(self):
        return self.blob().decode("utf-8", "replace")

    def list(self, each):
        return [each() for _ in range(self.number("I"))]

    def of(self, **parts):
        """Each part by its type: a struct code, or one of the functions above and below."""
        return {name: self.number(kind) if isinstance(kind, str) else kind() for name, kind in parts.items()}

    def texts(self):
        return self.list(self.text)

    def field(self):
        return self.of(kind="B", offset="I", size="I", name=self.text, type=self.text)

    def fields(self):
        return self.list(self.field)

    def action(self):
        return self.of(kind="B", format=self.text, fields=self.fields, aggregations=lambda: self.list(lambda: self.number("I")))

    def clause(self):
        return self.of(actions=lambda: self.list(self.action), payloadSize="I", silent="?", probes=self.text)

    def clause_facts(self):
        return self.of(processes="B", fills=lambda: self.list(lambda: self.number("I")))

    def aggregation(self):
        return self.of(name=self.text, function="B", keys=self.fields, keySize="I",
                       parameters=lambda: [self.number("q") for _ in range(4)], value=self.text, valueType=self.text)

    def part(self):
        return self.of(kind="B", depth="I", bitOffset="Q", bits="Q", count="Q", name=self.text, type=self.text,
                       enumerators=lambda: self.list(lambda: (self.text(), self.number("q"))))

    def facts(self):
        return self.of(zone=self.text, timesAreLines="?", dialect="B", layouts=lambda: self.list(lambda: self.list(self.part)))

    def clock(self):
        return self.of(monotonic="q", wall="q", width="q", kept="B", maxError="q")

    def frame(self):
        return self.of(address="Q", module=self.text, function=self.text, offset="Q", kind="B")

    def places(self):
        return self.of(code=lambda: self.list(lambda: self.of(path=self.text, buildId=self.text)), files=self.texts,
                       frames=lambda: self.list(lambda: self.of(linked="Q", code="I", file="I", line="I", inlined="?")))

    def stack(self):
        stack = self.of(id="I", frames=lambda: self.list(self.frame))
        if self.at < len(self.data):
            stack["places"] = places = self.places()
            assert len(places["frames"]) == len(stack["frames"])
            for place in places["frames"]:
                assert place["code"] <= len(places["code"]) and place["file"] <= len(places["files"])
        return stack

    def stack_part(self):
        part = self.of(**{"from": "q"}, to="q", keys=lambda: self.list(self.blob), amount="q",
                       lines=lambda: self.list(lambda: (self.number("I"), self.number("q"))))
        assert part["from"] <= part["to"] and part["amount"] > 0
        return part

    def row(self):
        return self.of(key=self.blob, data=lambda: self.list(lambda: self.number("q")))

    def record(self):
        kind = self.number("B")
        text, when = self.text, "q"
        if kind == 1:
            program = self.of(
                source=text, name=text, matched=text, arguments=self.texts, clauses=lambda: self.list(self.clause),
                aggregations=lambda: self.list(self.aggregation), options=lambda: dict(self.list(lambda: (text(), text()))),
                host=text, kernel=text, version=text, command=text, target="i", wallClockOffset="q", started="q", utcOffset="i",
                tellsOfProcesses="?", isImported=lambda: self.at < len(self.data) and self.number("?"),
                placesUnnamed=lambda: self.at < len(self.data) and self.number("?"),
                facts=lambda: self.facts() if self.at < len(self.data) else {},
                clock=lambda: self.clock() if self.at < len(self.data) else {},
                cpus=lambda: self.number("I") if self.at < len(self.data) else 0,
                shownSizes=lambda: self.list(lambda: self.number("B")) if self.at < len(self.data) else [],
                clauseFacts=lambda: self.list(self.clause_facts) if self.at < len(self.data) else [])
            for aggregation in program["aggregations"]:
                if aggregation["function"] == 9:  # Ranges
                    aggregation["bounds"] = self.list(lambda: self.number("q"))
            program["lines"] = self.number("Q") if self.at < len(self.data) else 0
            program["linesNotUnderstood"] = self.number("Q") if self.at < len(self.data) else 0
            return "Program", program
        if kind == 2:
            return "ProbeDef", self.of(id="I", provider=text, module=text, function=text, name=text)
        if kind == 3:
            return "StackDef", self.stack()
        if kind == 4:
            return "Fired", self.of(clause="I", probe="I", cpu="I", pid="I", tid="I", when=when, payload=self.blob)
        if kind == 5:
            return "AggregationRows", self.of(aggregation="I", when=when, rows=lambda: self.list(self.row))
        if kind == 6:
            return "ProcessEvent", self.of(
                kind="B", when=when, pid="I", tid="I", parent="I", uid="I", vfork="?", argsCut="?", status="i", cpuTime="Q",
                execname=text, path=text, cwd=text, args=self.texts)
        if kind == 7:
            return "Drop", self.of(kind="B", cpu="I", count="Q")
        if kind == 8:
            return "Fault", self.of(clause="I", probe="I", cpu="I", action="I", enabled="I", kind="B", address="Q", offset="I")
        if kind == 9:
            return "TargetExited", self.of(pid="i", status="i")
        if kind == 10:
            return "Exit", self.of(
                status="i", interrupted="?", when=when, clock=lambda: self.clock() if self.at < len(self.data) else {},
                agreement=lambda: self.of(hosts="I", unknown="I", within="q") if self.at < len(self.data) else {})
        if kind == 11:
            return "FoldedStacks", self.of(noun=text, unit="B", lines=lambda: self.list(lambda: [text(), self.number("q")]))
        if kind == 12:
            return "Diagnostic", self.of(severity="B", tag=text, file=text, line="I", column="I", message=text, text=text,
                choices=lambda: self.list(lambda: [text(), text()]) if self.at < len(self.data) else [])
        if kind == 13:
            return "StackParts", self.of(
                by=lambda: self.list(self.aggregation), noun=text, hasLines="?", isWhole="?", parts=lambda: self.list(self.stack_part))
        if kind == 14:
            return "CountedStacks", self.of(
                noun=text, unit="B", exponent="b", texts=lambda: self.list(text),
                frames=lambda: self.list(lambda: [self.number(c) for c in "IIIIB?"]),
                nodes=lambda: self.list(lambda: [self.number("I"), self.number("I")]),
                stacks=lambda: self.list(lambda: [self.number("I"), self.number("q")]))
        return None, {}


def blocks(data):
    """The bytes of all blocks, one behind the other, and how many records the End says there are."""
    assert data[:8] == b"DSCOPE\n\0"
    major, _ = struct.unpack_from("<HH", data, 8)
    assert major <= MAJOR
    at, records, count = 12, b"", None
    while at < len(data):
        length = int.from_bytes(data[at:at + 3], "little")
        assert data[at + 3] == crc32c(data[at:at + 3]) & 0xFF
        body = data[at + 8:at + 8 + length]
        assert len(body) == length and struct.unpack_from("<I", data, at + 4)[0] == crc32c(body)
        at += 8 + length
        assert count is None, "a frame behind the End"
        if body[0] == 1:
            block = body[1:]
        elif body[0] == 2:
            block = decompressed(body[5:], struct.unpack_from("<I", body, 1)[0])
        elif body[0] == 3:
            count, = struct.unpack_from("<Q", body, 1)
            continue
        else:
            continue  # of a newer minor version
        assert len(block) <= BLOCK
        records += block
    return records, count


def key_values(key, fields):
    values = []
    for field in fields:
        raw = key[field["offset"]:field["offset"] + field["size"]]
        if field["kind"] == 2:
            values.append(raw.split(b"\0")[0].decode("utf-8", "replace"))
        else:
            values.append(int.from_bytes(raw, "little", signed=field["kind"] == 0))
    return values


def stack_text(record, node):
    """The frames from the root to a node of a table of stacks, as folded text: module`name and a mark of the kind."""
    words = []
    while node != 0:
        before, frame = record["nodes"][node - 1]
        name, module, _, _, kind, inlined = record["frames"][frame]
        mark = "_[i]" if inlined else "_[j]" if kind == 3 else "_[k]" if kind == 2 and record["texts"][module] != "vmlinux" else ""
        words.append((record["texts"][module] + "`" if module else "") + record["texts"][name] + mark)
        node -= before
    return ";".join(reversed(words))


def main(path):
    with open(path, "rb") as file:
        data, expected = blocks(file.read())
    program, counts, last, stacks, probes, folded = None, {}, {}, {0}, set(), {}
    at = found = 0
    while at < len(data):
        size, = struct.unpack_from("<I", data, at)
        assert size <= RECORD and at + 4 + size <= len(data)
        parts = Parts(data[at + 4:at + 4 + size])
        at += 4 + size
        found += 1
        kind, record = parts.record()
        if kind is None:
            continue
        counts[kind] = counts.get(kind, 0) + 1
        assert (kind == "Program") == (found == 1), "the program is the first record, and the only one"
        if kind == "Program":
            program = record
            assert len(record["clauseFacts"]) in (0, len(record["clauses"]))
        elif kind == "ProbeDef":
            probes.add(record["id"])
        elif kind == "StackDef":
            stacks.add(record["id"])
        elif kind == "Fired":
            clause = program["clauses"][record["clause"]]
            assert record["probe"] in probes and len(record["payload"]) >= clause["payloadSize"]
        elif kind == "AggregationRows":
            shape = program["aggregations"][record["aggregation"]]
            last[shape["name"]] = [key_values(row["key"], shape["keys"]) + row["data"] for row in record["rows"]]
            for row in record["rows"]:
                for field in shape["keys"]:
                    if field["kind"] >= 4:
                        assert struct.unpack_from("<I", row["key"], field["offset"])[0] in stacks
        elif kind == "CountedStacks":
            folded["noun"], folded["unit"], folded["exponent"] = record["noun"], record["unit"], record["exponent"]
            folded["lines"] = folded.get("lines", []) + [[stack_text(record, node), value] for node, value in record["stacks"]]
        elif kind == "FoldedStacks":
            assert all(stack and value > 0 for stack, value in record["lines"])
            folded["noun"], folded["unit"] = record["noun"], record["unit"]
            folded["lines"] = folded.get("lines", []) + record["lines"]
    assert expected == found and kind == "Exit"
    json.dump({"source": program["source"], "isImported": program["isImported"],
               "options": program["options"], "facts": program["facts"], "clauseFacts": program["clauseFacts"], "counts": counts, "rows": last, "folded": folded},
              sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
