"""A bot that logs in, makes a character, enters the world, and hears itself say hello. Python 3.8, its standard library alone.

    MUSTER=bin/muster python3 -m unittest docs/bots/bot.py
"""
import hashlib, hmac, json, os, secrets, socket, struct, subprocess, tempfile, time, unittest, urllib.error, urllib.request

# Opcodes. S comes from the server, C goes to it.
C_CHAR_CREATE, S_CHAR_CREATE, C_CHAR_ENUM, S_CHAR_ENUM = 0x036, 0x03A, 0x037, 0x03B
C_PLAYER_LOGIN, S_LOGIN_VERIFY_WORLD, C_CHAT, S_CHAT = 0x03D, 0x236, 0x095, 0x096
S_AUTH_CHALLENGE, C_AUTH_SESSION, S_AUTH_RESPONSE = 0x1EC, 0x1ED, 0x1EE

N = int("894B645E89E1535BBDAD5B8B290650530801B18EBFBF5E8FAB3C82872A3E9BB7", 16)  # of SRP6, with the generator 7


class Server:
    """A server of its own: free ports, nothing kept, ready when its file is there."""

    def __init__(self, *flags):
        self.folder = tempfile.TemporaryDirectory()
        ready = os.path.join(self.folder.name, "ready.json")
        self.process = subprocess.Popen([
            os.environ.get("MUSTER", "bin/muster"), "serve", "--ephemeral", "--ready-file", ready, "--log-level", "warn",
            "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0", *flags], stdout=subprocess.DEVNULL)
        while not os.path.exists(ready):
            if self.process.poll() is not None:
                raise RuntimeError("the server ended: its log says why")
            time.sleep(0.01)
        with open(ready) as f:
            self.__dict__.update(json.load(f))  # auth, world, admin, socket, ports …

    def call(self, method, path, body=None):
        """Sends a request to the admin address, and returns its answer."""
        request = urllib.request.Request("http://" + self.admin + path, json.dumps(body).encode() if body else None, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:  # its body says why
            raise RuntimeError("%s %s: %d %s" % (method, path, refused.code, refused.read().decode())) from None

    def mark(self):
        """The number of the last that has happened."""
        return self.call("GET", "/api/happenings")["next"]

    def run_until(self, condition, after, limit_ms=30000):
        """Waits until a condition holds; its events count from a mark on."""
        return self.call("POST", "/api/run", {"until": condition, "after": after, "limit_ms": limit_ms})

    def stop(self):
        self.process.terminate()
        if self.process.wait(60) != 0:
            raise RuntimeError("the server ended with %d" % self.process.returncode)
        self.folder.cleanup()


def connect(address):
    host, port = address.rsplit(":", 1)
    s = socket.create_connection((host, int(port)), 60)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return s


def read(s, n):
    data = b""
    while len(data) < n:
        more = s.recv(n - len(data))
        if not more:
            raise EOFError("the server closed the connection: its log says why")
        data += more
    return data


def sha(*parts):
    return hashlib.sha1(b"".join(parts)).digest()


def number(data):
    return int.from_bytes(data, "little")


def login(address, name, password):
    """Proves the password to the login server, and returns the session key of 40 bytes."""
    name, password = name.upper().encode(), password.upper().encode()
    s = connect(address)
    body = b"WoW\0" + bytes([3, 3, 5]) + struct.pack("<H", 12340) + b"68x\0niW\0SUne" + struct.pack("<I4s", 0, b"\x7f\0\0\1")
    body += bytes([len(name)]) + name
    s.sendall(struct.pack("<BBH", 0, 8, len(body)) + body)
    command, _, result = read(s, 3)
    if result != 0:
        raise PermissionError("the name is refused: %d" % result)
    B, _, _, _, N_, salt, _, _ = struct.unpack("<32sBBB32s32s16sB", read(s, 116))
    a = number(secrets.token_bytes(32))
    A = pow(7, a, N).to_bytes(32, "little")
    x = number(sha(salt, sha(name, b":", password)))
    u = number(sha(A, B))
    S = pow(number(B) - 3 * pow(7, x, N), a + u * x, N).to_bytes(32, "little")
    skip = next(i for i in range(0, 32, 2) if S[i])  # leading pairs that begin with 0 are left out
    even, odd = sha(S[skip::2]), sha(S[skip + 1::2])
    key = bytes(b for pair in zip(even, odd) for b in pair)
    group = bytes(p ^ q for p, q in zip(sha(N_), sha(b"\7")))
    proof = sha(group, sha(name), salt, A, B, key)
    s.sendall(b"\1" + A + proof + bytes(20) + b"\0\0")
    command, result = read(s, 2)
    if result != 0:
        raise PermissionError("the password is refused: %d" % result)
    if read(s, 30)[:20] != sha(A, proof, key):
        raise PermissionError("the server does not know the password")
    s.close()
    return key


class RC4:
    """The cipher of headers. The first 1024 bytes are dropped."""

    def __init__(self, seed, key):
        key = hmac.new(bytes.fromhex(seed), key, hashlib.sha1).digest()
        self.s, self.i, self.j, j = list(range(256)), 0, 0, 0
        for i in range(256):
            j = (j + self.s[i] + key[i % 20]) % 256
            self.s[i], self.s[j] = self.s[j], self.s[i]
        self.crypt(bytes(1024))

    def crypt(self, data):
        out, s = bytearray(data), self.s
        for n in range(len(out)):
            self.i = (self.i + 1) % 256
            self.j = (self.j + s[self.i]) % 256
            s[self.i], s[self.j] = s[self.j], s[self.i]
            out[n] ^= s[(s[self.i] + s[self.j]) % 256]
        return bytes(out)


class Bot:
    """A client in a world."""

    def __init__(self, server, account, password):
        key = login(server.auth, account, password)
        self.socket, self.incoming, self.outgoing = connect(server.world), None, None
        seed, mine, name = self.wait(S_AUTH_CHALLENGE)[4:8], secrets.token_bytes(4), account.upper().encode()
        proof = sha(name, bytes(4), mine, seed, key)
        self.send(C_AUTH_SESSION, struct.pack("<II", 12340, 0) + name + b"\0" + struct.pack("<I4sIIIQ", 0, mine, 0, 0, 1, 0) +
                  proof + bytes(4))
        self.outgoing, self.incoming = RC4("C2B3723CC6AED9B5343C53EE2F4367CE", key), RC4("CC98AE04E897EACA12DDC09342915357", key)
        result = self.wait(S_AUTH_RESPONSE)[0]
        if result != 12:
            raise PermissionError("the world refuses the login: %d" % result)

    def send(self, opcode, body):
        header = struct.pack(">H", len(body) + 4) + struct.pack("<I", opcode)
        self.socket.sendall((self.outgoing.crypt(header) if self.outgoing else header) + body)

    def receive(self):
        def take(n):
            data = read(self.socket, n)
            return self.incoming.crypt(data) if self.incoming else data
        header = take(4)
        if header[0] & 0x80:  # a long packet has three bytes of length
            header = bytes([header[0] & 0x7F]) + header[1:] + take(1)
        return number(header[-2:]), read(self.socket, int.from_bytes(header[:-2], "big") - 2)

    def wait(self, opcode):
        """Reads up to a packet, and returns its body."""
        while True:
            got, body = self.receive()
            if got == opcode:
                return body

    def create(self, name):
        """Makes a character, a human warrior."""
        self.send(C_CHAR_CREATE, name.encode() + b"\0" + bytes([1, 1, 0, 0, 0, 0, 0, 0, 0]))
        result = self.wait(S_CHAR_CREATE)[0]
        if result != 0x2F:
            raise ValueError("the character is refused: %#x" % result)

    def enter(self):
        """Enters the world with the first character, and returns map, x, y, z and facing."""
        self.send(C_CHAR_ENUM, b"")
        self.guid = number(self.wait(S_CHAR_ENUM)[1:9])
        self.send(C_PLAYER_LOGIN, struct.pack("<Q", self.guid))
        return struct.unpack("<Iffff", self.wait(S_LOGIN_VERIFY_WORLD))

    def close(self):
        self.socket.close()

    def say(self, text):
        self.send(C_CHAT, struct.pack("<II", 1, 7) + text.encode() + b"\0")  # in the language of humans

    def hear(self):
        """Waits for something said aloud, and returns who says it and what."""
        while True:
            body = self.wait(S_CHAT)
            kind, _, sender, _, _, length = struct.unpack_from("<BIQIQI", body)
            if kind == 1:
                return sender, body[29:29 + length - 1].decode()


class TestGreeting(unittest.TestCase):
    def test_greeting(self):
        server = Server()
        self.addCleanup(server.stop)
        anna = Bot(server, "ANNA", "muster")  # an unknown account is made, with this password
        self.addCleanup(anna.close)
        anna.create("Anna")
        anna.enter()
        mark = server.mark()
        anna.say("hello")
        self.assertEqual(anna.hear(), (anna.guid, "hello"))
        server.run_until('session("Anna").online && event("chat", "Anna") == 1', mark)


if __name__ == "__main__":
    unittest.main()
