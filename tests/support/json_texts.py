"""json_texts.py STRSIZE FILE: writes paths and JSON texts to descriptors that are not open (998, 999), where a tracer sees
them, and to FILE what Python's json finds there: text, path and value, a NUL behind each."""
import json
import os
import random
import sys

size, truth = int(sys.argv[1]), sys.argv[2]
random.seed(size)
NAMES = ["a", "b", "aa", "ab", "name", "0", "1", "", "with space", 'quote"d', "back\\slash", "ümlaut", "tab\there", "x" * 20]
SCALARS = [True, False, None, 0, -1, 42, 3.25, -2.5e-7, 1e300, "", "text", 'say "hi"', "\\", "}", "]", '{"a": [', "ünï", "\n\t\b", "\u0001"]
SEPARATORS = [(",", ":"), (", ", ": "), (" \n,\t", "\r : ")]


def value(depth):
    kind = random.random()
    if depth == 0 or kind < 0.4:
        return random.choice(SCALARS)
    if kind < 0.7:
        return [value(depth - 1) for _ in range(random.randrange(5))]
    return {name: value(depth - 1) for name in random.sample(NAMES, random.randrange(5))}


def paths(of, before=()):
    """Every path to a value, and some that lead nowhere."""
    inside = of.items() if isinstance(of, dict) else enumerate(of) if isinstance(of, list) else ()
    for key, member in inside:
        yield before + (key,), member, True
        yield from paths(member, before + (key,))
    missing = len(of) if isinstance(of, list) else -1 if isinstance(of, int) else "none"
    yield before + (missing,), None, False


def attempt(descriptor, content):
    try:
        os.write(descriptor, content)
    except OSError:
        pass


def spelled(path, dumps):
    text = ""
    for key in path:
        if isinstance(key, int) and random.random() < 0.7:
            text += f"[{key}]"
        else:
            text += ("." if text else "") + (str(key) if isinstance(key, int) else dumps(key)[1:-1])
    return text


with open(truth, "wb") as out:
    documents = [{"deep": json.loads("[" * 60 + "7" + "]" * 60)}, [[[[[[[[1], 2], 3], 4], 5], 6], 7], 8], {}, []]
    while len(documents) < 60:
        document = value(random.choice([2, 3, 4 if size < 1000 else 6]))
        if isinstance(document, (dict, list)):
            documents.append(document)
    for document in documents:
        separators, ascii_only = random.choice(SEPARATORS), random.random() < 0.5
        dumps = lambda v: json.dumps(v, separators=separators, ensure_ascii=ascii_only)
        text = dumps(document)
        if len(text.encode()) >= size:
            continue
        every = list(paths(document))
        for path, wanted, there in random.sample(every, min(len(every), 12)):
            # Behind an empty first element there would be no dot to tell it from the next.
            where = spelled(path, dumps)
            if path[0] == "" or len(where.encode()) >= size:
                continue
            told = "(none)" if not there else dumps(wanted)[1:-1] if isinstance(wanted, str) else dumps(wanted)
            out.write(b"".join(part.encode() + b"\0" for part in (text, where, told)))
            attempt(998, where.encode())
            attempt(999, text.encode())
