"""Drives headless Chromium over its debugging protocol, with nothing but Python's own library.

usage: browser.py FILE STEP...     a step is  click:SELECTOR  keys:TEXT  key:NAME  js:EXPRESSION  shot:FILE.png
Prints one JSON object: what each js step gave, and every error that the page told of.
"""
import base64
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import urllib.request


class Socket:
    """A WebSocket of its own: RFC 6455, text frames alone."""

    def __init__(self, url):
        host = url.split("/")[2]
        self.socket = socket.create_connection((host.split(":")[0], int(host.split(":")[1])), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /{url.split('/', 3)[3]} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.socket.recv(1)

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        if size < 126:
            head = bytes([0x81, 0x80 | size])
        elif size < 65536:
            head = bytes([0x81, 0x80 | 126]) + struct.pack(">H", size)
        else:
            head = bytes([0x81, 0x80 | 127]) + struct.pack(">Q", size)
        self.socket.sendall(head + mask + bytes(c ^ mask[i % 4] for i, c in enumerate(data)))

    def take(self, size):
        data = b""
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                raise ConnectionError("the browser is gone")
            data += more
        return data

    def receive(self):
        text = b""
        while True:
            first, size = self.take(2)
            size &= 127
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            text += self.take(size)
            if first & 0x80:
                return text.decode()


class Page:
    def __init__(self, port):
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        self.socket = Socket([p for p in pages if p["type"] == "page"][0]["webSocketDebuggerUrl"])
        self.number, self.errors, self.seen = 0, [], set()
        for domain in ("Runtime", "Log", "Page"):
            self.call(domain + ".enable")

    def take(self):
        message = json.loads(self.socket.receive())
        self.seen.add(message.get("method"))
        if message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.errors.append(json.dumps(message["params"])[:500])
        return message

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = self.take()
            if message.get("id") == self.number:
                return message.get("result", {})

    def open(self, url):
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.seen:
            self.take()

    def evaluate(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True).get("result", {}).get("value")

    def click(self, selector):
        x, y = self.evaluate(f"(()=>{{const b=document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                             "return [b.x+b.width/2,b.y+b.height/2]})()")
        for kind, button in (("mouseMoved", "none"), ("mousePressed", "left"), ("mouseReleased", "left")):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)

    def key(self, name):
        text = name if len(name) == 1 else "\r" if name == "Enter" else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name)


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
                                    f"--user-data-dir={profile}", "--window-size=1600,1000", "about:blank"],
                                   stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        try:
            for line in browser.stderr:
                if "DevTools listening" in line:
                    break
            page = Page(line.split("127.0.0.1:")[1].split("/")[0])
            page.open(pathlib.Path(sys.argv[1]).resolve().as_uri())
            given = []
            for step in sys.argv[2:]:
                kind, value = step.split(":", 1)
                if kind == "click":
                    page.click(value)
                elif kind == "keys":
                    for letter in value:
                        page.key(letter)
                elif kind == "key":
                    page.key(value)
                elif kind == "js":
                    given.append(page.evaluate(value))
                elif kind == "shot":
                    pathlib.Path(value).write_bytes(base64.b64decode(page.call("Page.captureScreenshot")["data"]))
            print(json.dumps({"given": given, "errors": page.errors}))
        finally:
            browser.terminate()
            browser.wait()


main()
