#!/usr/bin/env python3
"""Calls the NFS server of this kernel, which it starts on a socket of its own: nfs_calls.py NULLS RENEWS. NULLS calls of
NULL, then RENEWS calls of COMPOUND with one operation, RENEW of a client that the server does not know. Prints the status of each."""
import os, socket, struct, sys
# Source: RFC 5531 (calls), RFC 7530, sections 15.1, 15.2 and 16.26 (NFS version 4)
PROGRAM, VERSION, RENEW = 100003, 4, 30
NFS = "/proc/fs/nfsd/"


def write(name, text):
    with open(NFS + name, "w") as file:
        file.write(text + "\n")


listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen(4)
write("versions", "-2 -3 +4")
os.makedirs("/run/nfs-recovery", exist_ok=True)
write("nfsv4recoverydir", "/run/nfs-recovery")
# In mountd's place: who calls from this address is known. Source: net/sunrpc/svcauth_unix.c, ip_map_parse()
with open("/proc/net/rpc/auth.unix.ip/channel", "w") as known:
    known.write("nfsd 127.0.0.1 2147483647 local\n")
write("portlist", str(listening.fileno()))
write("threads", "2")
server = socket.create_connection(("127.0.0.1", listening.getsockname()[1]))
server.settimeout(60)
for number in range(int(sys.argv[1]) + int(sys.argv[2])):
    compound = number >= int(sys.argv[1])
    call = struct.pack(">10I", number, 0, 2, PROGRAM, VERSION, 1 if compound else 0, 0, 0, 0, 0)
    if compound:
        call += struct.pack(">IIIIQ", 0, 0, 1, RENEW, 0x1234)
    server.sendall(struct.pack(">I", 0x80000000 | len(call)) + call)
    answer = server.recv(4096)[4:]
    print("status", *struct.unpack(">I", answer[24:28]) if compound else struct.unpack(">I", answer[20:24]), flush=True)
