# Longbox
# SPDX-License-Identifier: MIT
"""Push services for tests: one that decrypts messages as a browser would, and a stand-in for Google's, for Chromium."""

import base64
import datetime
import json
import os
import socket
import ssl
import struct
import tempfile
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

POINT = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Browser:
    """A browser's subscription: its keys, and decryption with them."""

    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)

    def subscription(self, **more):
        """The subscription as a page sends it to the server."""
        point = base64url(self.key.public_key().public_bytes(*POINT))
        return {"endpoint": self.endpoint, "keys": {"p256dh": point, "auth": base64url(self.secret)}} | more

    def read(self, body):
        """Decrypts a message with http_ece."""
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"))


class Handler(BaseHTTPRequestHandler):
    """Handles POSTs without logging."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        status, kind, reply = self.server.take(self.path, self.headers, body)
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, take):
        super().__init__(("127.0.0.1", 0), Handler)
        self.take = take
        self.address = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """Ignores connections that a killed server has closed."""


class PushService:
    """A push service that decrypts messages.

    `received` has (subscriber, message, headers) in order of arrival; `confirmed` the subscribers that got their first
    message, which only says that notifications are on.
    """

    def __init__(self):
        self.browsers = {}
        self.received = []
        self.confirmed = []
        # (count, action): the action runs after that many messages, before the last one is answered.
        self.trap = None
        self._lock = threading.Lock()
        self._server = Server(self._take)
        self.address = self._server.address

    def subscriber(self, name):
        browser = self.browsers[f"/send/{name}"] = Browser(f"{self.address}/send/{name}")
        return browser

    def _take(self, path, headers, body):
        browser = self.browsers.get(path)
        if browser is None:
            return 410, "text/plain", b""
        assert headers["content-encoding"] == "aes128gcm"
        self._check_token(headers["authorization"])
        message = browser.read(body)
        with self._lock:
            if message == {"confirms": True}:
                self.confirmed.append(path.rsplit("/", 1)[1])
                return 201, "text/plain", b""
            self.received.append((path.rsplit("/", 1)[1], message, headers))
            if self.trap:
                count, action = self.trap
                self.trap = (count - 1, action) if count > 1 else None
                if count == 1:
                    action()
        return 201, "text/plain", b""

    def _check_token(self, field):
        assert Vapid02.verify(field), "the token is not signed by the key it names"
        _, claims, _ = field.split("t=")[1].split(",")[0].split(".")
        claims = json.loads(base64.urlsafe_b64decode(claims + "=="))
        assert claims["aud"] == self.address
        assert time.time() < claims["exp"] <= time.time() + 86_400

    def close(self):
        self._server.shutdown()
        self._server.server_close()


# Google's service: Chromium registers over HTTP; messages come as protocol buffers over a connection (MCS).


def varint(number):
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def text_field(field, value):
    value = value if isinstance(value, bytes) else value.encode()
    return varint(field << 3 | 2) + varint(len(value)) + value


def number_field(field, value):
    return varint(field << 3) + varint(value)


def fixed_field(field, value):
    return varint(field << 3 | 1) + struct.pack("<Q", value)


def certificate(folder):
    """Writes a certificate for localhost and its key to files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = Path(folder) / "certificate.pem", Path(folder) / "key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return files


class GoogleStandIn:
    """A stand-in for Google's push service: Chromium subscribes to it, and decrypts its messages."""

    def __init__(self):
        self.registrations = {}
        self.sent = []
        # The status that rejects messages; None to deliver them.
        self.rejection = None
        # As Google does, accepts messages at once, and keeps them while no browser is logged in.
        self._kept = []
        self._lock = threading.Lock()
        self._connections = []
        self._server = Server(self._take)
        self.address = self._server.address
        with tempfile.TemporaryDirectory() as folder:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(*certificate(folder))
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def arguments(self):
        """The command line switches that direct Chromium here."""
        return [
            f"--gcm-checkin-url={self.address}/checkin",
            f"--gcm-registration-url={self.address}/register",
            f"--gcm-mcs-endpoint=https://localhost:{self._listener.getsockname()[1]}",
            "--ignore-certificate-errors",
        ]

    @property
    def script(self):
        """A script that makes pages register this service instead of Google's."""
        return f"""{{
          const original = PushSubscription.prototype.toJSON
          PushSubscription.prototype.toJSON = function () {{
            const json = original.call(this)
            return {{ ...json, endpoint: "{self.address}" + new URL(json.endpoint).pathname }}
          }}
        }}"""

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._listener.close()

    def _take(self, path, headers, body):
        if path.startswith("/checkin"):
            now = int(time.time() * 1000)
            reply = number_field(1, 1) + number_field(3, now) + fixed_field(7, 1) + fixed_field(8, 2)
            return 200, "application/x-protobuf", reply
        if path.startswith("/register"):
            form = {name: values[0] for name, values in urllib.parse.parse_qs(body.decode()).items()}
            if "delete" in form:
                gone = [token for token, known in self.registrations.items() if known["X-subtype"] == form["X-subtype"]]
                for token in gone:
                    del self.registrations[token]
                return 200, "text/plain", b"token=" + form["X-subtype"].encode()
            token = f"token{time.time_ns()}"
            self.registrations[token] = form
            return 200, "text/plain", f"token={token}".encode()
        if self.rejection:
            return self.rejection, "text/plain", b""
        return (201 if self._deliver(path.rsplit("/", 1)[1], headers, body) else 410), "text/plain", b""

    def _deliver(self, token, headers, body):
        known = self.registrations.get(token)
        if known is None:
            return False
        self.sent.append(dict(headers))
        data = {"subtype": known["X-subtype"], "content-encoding": headers["content-encoding"]}
        message = text_field(2, "") + text_field(3, known["sender"]) + text_field(5, known["app"])
        for name, value in data.items():
            message += text_field(7, text_field(1, name) + text_field(2, value))
        message += text_field(9, f"0:{time.time_ns()}") + number_field(17, 60)
        message += number_field(18, int(time.time() * 1000)) + text_field(21, body)
        self._kept.append(b"\x08" + varint(len(message)) + message)
        self._send_kept()
        return True

    def _send_kept(self):
        """Sends what is kept to the browser that is logged in, if there is one."""
        with self._lock:
            while self._connections and self._kept:
                try:
                    self._connections[-1].sendall(self._kept[0])
                except OSError:
                    self._connections.pop()
                else:
                    del self._kept[0]

    def _listen(self):
        while True:
            try:
                raw, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._converse, args=(raw,), daemon=True).start()

    def _converse(self, raw):
        connection = None
        try:
            connection = self._tls.wrap_socket(raw, server_side=True)
            stream = connection.makefile("rb")
            stream.read(1)  # the protocol's version
            while tag := stream.read(1):
                length = shift = 0
                while True:
                    byte = stream.read(1)[0]
                    length |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        break
                stream.read(length)
                if tag[0] == 2:  # login
                    reply = text_field(1, "here") + number_field(8, int(time.time() * 1000))
                    connection.sendall(b"\x29\x03" + varint(len(reply)) + reply)
                    with self._lock:
                        self._connections.append(connection)
                    self._send_kept()
                elif tag[0] == 0:  # heartbeat
                    connection.sendall(b"\x01\x00")
        except (OSError, IndexError):
            pass  # The browser has hung up.
        finally:
            with self._lock:
                if connection in self._connections:
                    self._connections.remove(connection)
