"""Prints what an ExportProfilesServiceRequest says, read by its fields' numbers: attributes of the resource as "NAME=VALUE" lines, then its
profile as folded stacks, with attributes of samples in brackets.

Source: github.com/open-telemetry/opentelemetry-proto 1.9, profiles/v1development, for the numbers; protobuf.dev, "Encoding", for the rest.
"""
import struct
import sys


def fields(data):
    at, out = 0, []

    def varint():
        nonlocal at
        number = shift = 0
        while True:
            byte = data[at]
            at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            out.append((tag >> 3, varint()))
        elif tag & 7 == 1:
            out.append((tag >> 3, struct.unpack("<Q", data[at:at + 8])[0]))
            at += 8
        elif tag & 7 == 2:
            size = varint()
            assert at + size <= len(data)
            out.append((tag >> 3, data[at:at + size]))
            at += size
        else:
            sys.exit(f"wire type {tag & 7}")
    return out


def all_of(message, number):
    return [value for field, value in fields(message) if field == number]


def one(message, number, default=b""):
    return next(iter(all_of(message, number)), default)


def packed(data):
    out, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            out.append(number)
            number = shift = 0
    return out


def value_of(any_value):
    return one(any_value, 1).decode()


request = sys.stdin.buffer.read()
resource_profiles, dictionary = one(request, 1), one(request, 2)
mappings, locations, functions, links, strings, attributes, stacks = (all_of(dictionary, number) for number in range(1, 8))
# "The element at index 0 MUST be the zero value"
for table in mappings, locations, functions, strings, attributes, stacks:
    assert table[0] == b"", table[0]
assert fields(links[0]) == [(1, bytes(16)), (2, bytes(8))]
strings = [text.decode() for text in strings]
for table in strings, mappings, locations, functions, attributes, stacks:
    assert len(set(table)) == len(table), "a row of a table is there twice"


def attribute(number):
    return strings[one(attributes[number], 1)] + "=" + value_of(one(attributes[number], 2))


for pair in all_of(one(resource_profiles, 1), 1):
    print(one(pair, 1).decode() + "=" + value_of(one(pair, 2)))
scope_profiles = one(resource_profiles, 2)
assert one(one(scope_profiles, 1), 1) == b"dscope"
profile = one(scope_profiles, 2)
kind = one(profile, 1)
print("type", strings[one(kind, 1, 0)], strings[one(kind, 2, 0)])
print("time", one(profile, 3, 0), "duration", one(profile, 4, 0), "period", one(profile, 6, 0))
for mapping in mappings[1:]:
    assert strings[one(mapping, 4)]
for sample in all_of(profile, 2):
    names = []
    for number in packed(one(stacks[one(sample, 1)], 1)):
        # Of each location, which is from the leaf to the root, the lines of what was inlined come first.
        names += [strings[one(functions[one(line, 1)], 1)] for line in all_of(locations[number], 3)]
    labels = [attribute(number) for number in packed(one(sample, 2))]
    print("".join(f"[{label}]" for label in labels) + ";".join(reversed(names)), *packed(one(sample, 4)))
