"""Takes what is sent by POST, for tests: receiver.py FOLDER [NAME=VALUE ...]

Prints its port. Request N is FOLDER/N.json (path and headers) and FOLDER/N.body. Settings: answers (statuses, one for each request,
separated by ','; the last is for all that follow), body (of the answers, as hexadecimal digits), type (of it), cert and key (files of TLS), ca
(clients have to show a certificate of it).
"""
import http.server
import json
import ssl
import sys

folder = sys.argv[1]
settings = dict(word.split("=", 1) for word in sys.argv[2:])
answers = [int(word) for word in settings.get("answers", "200").split(",")]
count = 0


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global count
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(f"{folder}/{count}.body", "wb") as file:
            file.write(body)
        with open(f"{folder}/{count}.json", "w") as file:
            json.dump({"path": self.path, "headers": {name.lower(): value for name, value in self.headers.items()}}, file)
        status = answers[min(count, len(answers) - 1)]
        count += 1
        said = bytes.fromhex(settings.get("body", ""))
        self.send_response(status)
        if status == 429:
            self.send_header("Retry-After", "1")
        if 300 <= status < 400:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Type", settings.get("type", "text/plain"))
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a client that trusts nobody ends the connection


server = Server(("127.0.0.1", 0), Receiver)
if "cert" in settings:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(settings["cert"], settings["key"])
    if "ca" in settings:
        context.load_verify_locations(settings["ca"])
        context.verify_mode = ssl.CERT_REQUIRED
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
