"""Leads connections to AWS's host names to emu, for everything that uses Python's socket and ssl modules."""

import json
import os
import socket

GIVEN = json.loads(os.environ["_EMULATOR_AWS_NAMES"])
SUFFIXES = tuple(GIVEN["suffixes"])
EXCEPTIONS = GIVEN["exceptions"]
RELAY = (GIVEN["relay"]["host"], GIVEN["relay"]["port"])
PORTS = {443: True, "443": True, b"443": True, "https": True, 80: False, "80": False, b"80": False, "http": False}

resolve = socket.getaddrinfo
connect = socket.socket.connect
connect_ex = socket.socket.connect_ex


def leads(host):
    """Whether a host leads to emu."""
    if isinstance(host, (bytes, bytearray)):
        host = host.decode("ascii", "replace")
    if not isinstance(host, str):
        return False
    name = (host[:-1] if host.endswith(".") else host).lower()
    return name.endswith(SUFFIXES) and not any(
        one == "*" or one == name or (one.startswith("*.") and name.endswith(one[1:])) for one in EXCEPTIONS
    )


def refusal(host, port):
    return (
        "%s:%s: emu leads AWS's host names to itself on ports 443 and 80 only. "
        "EMULATOR_AWS_NAMES_EXCEPT lists names that lead to AWS." % (host, port)
    )


def prepare(port):
    """Makes TLS connections to the names trust emu's authority, once one may follow."""
    if PORTS[port]:
        trust()


def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
    if not leads(host):
        return resolve(host, port, family, type, proto, flags)
    if port not in PORTS:
        raise socket.gaierror(socket.EAI_FAIL, refusal(host, port))
    prepare(port)
    return resolve(RELAY[0], RELAY[1], 0, type, proto, 0)


def target_of(address):
    """Returns where a connection leads."""
    if not isinstance(address, tuple) or len(address) < 2 or not leads(address[0]):
        return address
    if address[1] not in PORTS:
        raise ConnectionRefusedError(refusal(address[0], address[1]))
    prepare(address[1])
    return RELAY


def patched_connect(self, address):
    return connect(self, target_of(address))


def patched_connect_ex(self, address):
    return connect_ex(self, target_of(address))


trusting = None


def trust():
    """Replaces the functions of ssl that begin a TLS connection. The module is large, so it is loaded late."""
    global trusting
    if trusting is not None:
        return
    import ssl
    import weakref

    trusting = weakref.WeakSet()
    with open(GIVEN["authority"]) as file:
        authority = file.read()

    def trusted(original, position):
        def begin(self, *args, **options):
            host = options.get("server_hostname", args[position] if len(args) > position else None)
            # The authority is valid for AWS's names only, also in contexts that are used for other hosts.
            if self not in trusting and leads(host):
                self.load_verify_locations(cadata=authority)
                trusting.add(self)
            return original(self, *args, **options)

        return begin

    ssl.SSLContext.wrap_socket = trusted(ssl.SSLContext.wrap_socket, 4)
    ssl.SSLContext.wrap_bio = trusted(ssl.SSLContext.wrap_bio, 3)


socket.getaddrinfo = getaddrinfo
socket.socket.connect = patched_connect
socket.socket.connect_ex = patched_connect_ex
