"""Measures how soon a film plays in Chromium: over plain HTTP, and by the receiver.

    sudo python3 src/check/python/playback.py COMMAND [RUNS]

COMMAND starts fieldstone. A film of 2 Mbit/s comes over a path between two network namespaces: 20 Mbit/s, 20 ms there
and back, a queue of 64 KiB, and loss in both directions. Needs root, chromium and ffmpeg. Prints a line for each loss:
milliseconds from the request to the first picture that moves, of each run.
"""

import fcntl
import heapq
import http.server
import os
import random
import re
import select
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

LOSSES = [0, 0.05, 0.1]
RATE = 2.5e6  # bytes per second
DELAY = 0.010
QUEUE = 64 * 1024
WEB = os.path.join(os.path.dirname(__file__), "../../main/resources/io/fieldstone/web")
SERVER, CLIENT = "fspa", "fspb"
FFMPEG = (
    "ffmpeg -loglevel error -f lavfi -i testsrc2=size=640x360:rate=25 -f lavfi -i sine=440 -t 20"
    " -vf noise=alls=20:allf=t -b:v 2M -maxrate 2M -bufsize 2M -g 25 -pix_fmt yuv420p -preset ultrafast"
    " -movflags frag_keyframe+empty_moov+default_base_moof"
).split()
PAGE = """
const report = text => fetch('/report', {method: 'POST', body: text});
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const {Receiver} = await import('./fieldstone.js');
const info = INFO;
const servers = [{url: `https://10.9.0.1:${info.port}`, certificateHashes: info.certificateHashes}];
const start = async (kind) => {
  const video = document.createElement('video');
  video.muted = true;
  document.body.append(video);
  const begin = performance.now();
  const playing = new Promise(resolve =>
    video.addEventListener('playing', () => resolve(performance.now() - begin), {once: true}));
  const control = new AbortController();
  if (kind === 'http') {
    video.src = `http://10.9.0.1:8090/film.mp4?${Math.random()}`;
    video.play().catch(() => {});
  } else {
    new Receiver({servers}).play('film.mp4', video, {signal: control.signal}).catch(() => {});
  }
  const millis = await Promise.race([playing, pause(30000).then(() => 30000)]);
  control.abort();
  video.removeAttribute('src');
  video.load();
  video.remove();
  await pause(1500);
  return Math.round(millis);
};
await start('http');
await start('coded');
for (const loss of LOSSES) {
  await fetch(`/loss/${loss}`, {method: 'POST', body: ''});
  const millis = {http: [], coded: []};
  for (let i = 0; i < RUNS; i++) {
    for (const kind of Object.keys(millis)) {
      millis[kind].push(await start(kind));
    }
  }
  await report(`loss ${loss}: ${JSON.stringify(millis)}`);
}
await report('end');
"""


class Path:
    """Carries packets between two TUN devices."""

    def __init__(self):
        self.loss = 0
        self.ends = [self.tun(ns, name, ip) for ns, name, ip in
                     ((SERVER, "fspa0", "10.9.0.1"), (CLIENT, "fspb0", "10.9.0.2"))]
        threading.Thread(target=self.run, daemon=True).start()

    @staticmethod
    def tun(namespace, name, ip):
        end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(end, 0x400454CA, struct.pack("16sH", name.encode(), 0x1001))  # TUNSETIFF; IFF_TUN | IFF_NO_PI
        inside = f"ip netns exec {namespace} ip"
        for command in (f"ip netns add {namespace}", f"ip link set {name} netns {namespace}",
                        f"{inside} link set lo up", f"{inside} addr add {ip}/24 dev {name}",
                        f"{inside} link set {name} mtu 1400 up"):
            subprocess.run(command.split(), check=True)
        return end

    def run(self):
        draw = random.Random(1)
        waiting = []
        free = [0.0, 0.0]
        count = 0
        while True:
            now = time.monotonic()
            while waiting and waiting[0][0] <= now:
                _, _, end, packet = heapq.heappop(waiting)
                try:
                    os.write(end, packet)
                except OSError:
                    pass
            pause = max(0, waiting[0][0] - time.monotonic()) if waiting else 0.2
            ready, _, _ = select.select(self.ends, [], [], pause)
            now = time.monotonic()
            for end in ready:
                side = self.ends.index(end)
                for packet in self.packets(end):
                    begin = max(now, free[side])
                    if draw.random() >= self.loss and (begin - now) * RATE <= QUEUE:
                        free[side] = begin + len(packet) / RATE
                        count += 1
                        heapq.heappush(waiting, (free[side] + DELAY, count, self.ends[1 - side], packet))

    @staticmethod
    def packets(end):
        """Returns the packets that are there, 64 at most."""
        for _ in range(64):
            try:
                yield os.read(end, 2000)
            except BlockingIOError:
                return


class Quiet(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, kind, body, *headers):
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))), *headers):
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True


def serve(address, handler):
    threading.Thread(target=http.server.ThreadingHTTPServer(address, handler).serve_forever, daemon=True).start()


def serve_film(film):
    """Serves ranges of a film; runs in the namespace of the server."""

    class Film(Quiet):
        def do_GET(self):
            content = open(film, "rb").read()
            wanted = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "bytes=0-")
            first, last = int(wanted[1]), int(wanted[2] or len(content) - 1)
            part = ("Content-Range", f"bytes {first}-{last}/{len(content)}")
            self.answer(206, "video/mp4", content[first:last + 1], ("Accept-Ranges", "bytes"), part)

    http.server.ThreadingHTTPServer(("10.9.0.1", 8090), Film).serve_forever()


def serve_page(runs, url):
    """Serves the page, and takes what it reports; runs in the namespace of the browser."""
    info = urllib.request.urlopen(url).read().decode()
    script = PAGE.replace("INFO", info).replace("LOSSES", str(LOSSES)).replace("RUNS", runs)
    types = {".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html"}

    class Page(Quiet):
        def do_GET(self):
            name = self.path.lstrip("/")
            file = os.path.join(WEB, name)
            body = (b"<!doctype html><script type=module src=page.js></script>" if name == "page.html"
                    else script.encode() if name == "page.js"
                    else open(file, "rb").read() if os.path.isfile(file) else b"")
            self.answer(200 if body else 404, types.get(os.path.splitext(name)[1], "text/plain"), body)

        def do_POST(self):
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            print(self.path if self.path.startswith("/loss") else text, flush=True)
            self.answer(200, "text/plain", b"")

    http.server.ThreadingHTTPServer(("127.0.0.1", 9100), Page).serve_forever()


def main(command, runs):
    folder = tempfile.mkdtemp()
    film = os.path.join(folder, "film.mp4")
    subprocess.run([*FFMPEG, film], check=True)
    started = []

    def start(namespace, *words):
        log = open(os.path.join(folder, f"log{len(started)}"), "w")
        started.append(subprocess.Popen(["ip", "netns", "exec", namespace, *words], text=True,
                                        stdout=subprocess.PIPE, stderr=log))
        return started[-1]

    try:
        path = Path()
        start(SERVER, sys.executable, __file__, "--film", film)
        server = start(SERVER, *command.split(), "serve", film, "--state", os.path.join(folder, "state"),
                       "--listen", "10.9.0.1:4433", "--browsers", "10.9.0.1:8080")
        while "for browsers" not in server.stdout.readline():
            pass
        page = start(CLIENT, sys.executable, __file__, "--page", runs, "http://10.9.0.1:8080/server.json")
        time.sleep(2)
        start(CLIENT, "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
              "--no-first-run", "--autoplay-policy=no-user-gesture-required",
              f"--user-data-dir={folder}/profile", "http://127.0.0.1:9100/page.html")
        for line in page.stdout:
            if line.startswith("/loss/"):
                path.loss = float(line.removeprefix("/loss/"))
            elif line == "end\n":
                break
            else:
                print(line, end="", flush=True)
    finally:
        for each in started:
            each.terminate()
        for namespace in (SERVER, CLIENT):
            subprocess.run(["ip", "netns", "del", namespace], check=False)


if __name__ == "__main__":
    if sys.argv[1] == "--film":
        serve_film(sys.argv[2])
    elif sys.argv[1] == "--page":
        serve_page(sys.argv[2], sys.argv[3])
    else:
        main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "5")
