"""One end of the raw TCP experiment: bursts of BYTES with random pauses between, many workers against one server.

tcp_flows.py ROLE DIRECTION FLOWS BYTES PAUSE_S SECONDS OUT
ROLE: "server" or the worker's number from 1; DIRECTION: "pull" (server sends) or "push" (worker sends). The receiver writes what came when, at
about 10 ms resolution: [time, worker, burst, bytes].
"""
import json
import random
import socket
import sys
import threading
import time

ROLE, DIRECTION = sys.argv[1], sys.argv[2]
BYTES, PAUSE_S, SECONDS, OUT = int(float(sys.argv[4])), float(sys.argv[5]), float(sys.argv[6]), sys.argv[7]
CHUNK = 1 << 18
ADDRESS = ('10.77.0.1', 5000)
DATA = b'x' * CHUNK
END = time.time() + SECONDS


def receive(connection, count, log, worker, burst):
    """Reads `count` bytes; False when the other end closed."""
    buffer = bytearray(CHUNK)
    got = since = 0
    last = time.time()
    while got < count:
        read = connection.recv_into(buffer, min(CHUNK, count - got))
        if read == 0:
            return False
        got += read
        since += read
        now = time.time()
        if now - last >= 0.01 or got >= count:
            log.append((round(now, 4), worker, burst, since))
            since, last = 0, now
    return True


def send(connection, count):
    sent = 0
    while sent < count:
        connection.sendall(DATA[: min(CHUNK, count - sent)])
        sent += min(CHUNK, count - sent)


def serve(connection, log):
    worker = connection.recv(1)[0]
    burst = 0
    while connection.recv(1):
        if DIRECTION == 'pull':
            send(connection, BYTES)
        else:
            if not receive(connection, BYTES, log, worker, burst):
                return
            connection.sendall(b'k')
        burst += 1


def run_server():
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(ADDRESS)
    listener.listen(64)
    log = []

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection, log), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    while time.time() < END + 1:
        time.sleep(0.1)
    return log


def run_worker(worker):
    random.seed(worker * 7 + 1)
    connection = socket.socket()
    for _ in range(50):
        try:
            connection.connect(ADDRESS)
            break
        except OSError:
            time.sleep(0.1)
    connection.sendall(bytes([worker]))
    log = []
    burst = 0
    time.sleep(random.random() * 1.5)
    while time.time() < END:
        connection.sendall(b'R')
        if DIRECTION == 'pull':
            receive(connection, BYTES, log, worker, burst)
        else:
            send(connection, BYTES)
            connection.recv(1)
        burst += 1
        time.sleep(PAUSE_S * (0.7 + 0.6 * random.random()))
    return log


log = run_server() if ROLE == 'server' else run_worker(int(ROLE))
if log:
    with open(OUT, 'w') as file:
        json.dump(log, file)
