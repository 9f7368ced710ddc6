"""The server under test and its peers. Each has two serving threads or processes, unlimited keep-alive, no access log,
and the same page and certificate."""

import os
import pathlib
import re
import subprocess
import tempfile

from http_bench.processes import Server, free_ports, output

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = "x" * 2048
WORKERS = 2
OURS = "granary"


class Peers:
    """Starts each server once and stops them all."""

    def __init__(self, binaries: pathlib.Path, folder: pathlib.Path):
        self.binaries, self.folder = binaries, folder
        self.running = {}
        # Not in the folder, which may be in memory: flushes would cost nothing there.
        self.states = tempfile.TemporaryDirectory(prefix="http-bench-", dir=ROOT / ".build")
        certificates = folder / "certificates"
        output([ROOT / "Scripts/make-test-certificates", certificates], 60)
        # Some servers run their processes as another user.
        folder.chmod(0o755)
        self.certificate, self.key = certificates / "ecdsa.pem", certificates / "ecdsa.key"

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        for server in self.running.values():
            server.stop()
        self.states.cleanup()

    def get(self, name: str) -> Server:
        """Returns the server with the given name, and starts it if necessary."""
        if name not in self.running:
            self.running[name] = getattr(self, name.replace("+", "_").replace(" ", "_"))()
        return self.running[name]

    def renew(self, name: str) -> Server:
        """Restarts the server with the given name."""
        if name in self.running:
            self.running.pop(name).stop()
        return self.get(name)

    def start(self, name: str, command: list, ports: dict, environment: dict = None) -> Server:
        return Server(name, command, ports, self.folder, environment)

    # Servers of the page

    def granary(self) -> Server:
        plain, secure = free_ports(2)
        command = [self.binaries / "http-bench-server", "pages", plain, secure, WORKERS, self.certificate, self.key]
        return self.start(OURS, command, both(plain, secure))

    def nginx(self) -> Server:
        plain, multiplexed, secure = free_ports(3)
        servers = f"""server {{
            listen 127.0.0.1:{plain} reuseport backlog=1024;
            listen 127.0.0.1:{multiplexed} http2 reuseport backlog=1024;
            listen 127.0.0.1:{secure} ssl http2 reuseport backlog=1024;
            ssl_certificate {self.certificate};
            ssl_certificate_key {self.key};
            ssl_protocols TLSv1.2 TLSv1.3;
            ssl_session_cache off;
            location / {{ default_type text/plain; return 200 "{PAGE}"; }}
        }}"""
        ports = {**both(plain, secure), "http2": multiplexed}
        return self.start("nginx", self.nginx_command("nginx", "", servers), ports)

    def nghttpd(self) -> Server:
        """Serves without TLS; see also `nghttpd_tls`."""
        return self.start_nghttpd("nghttpd", "http2", ["--no-tls"], [])

    def nghttpd_tls(self) -> Server:
        return self.start_nghttpd("nghttpd_tls", "http2-tls", [], [self.key, self.certificate])

    def start_nghttpd(self, name: str, spoken: str, options: list, identity: list) -> Server:
        pages = self.folder / "pages"
        pages.mkdir(exist_ok=True)
        (pages / "index.html").write_text(PAGE)
        [port] = free_ports(1)
        command = ["nghttpd", "--workers", WORKERS, "--address", "127.0.0.1", "--htdocs", pages, *options, port, *identity]
        return self.start(name, command, {spoken: port})

    def go(self) -> Server:
        plain, secure = free_ports(2)
        program = self.folder / "go-server"
        if not program.exists():
            output(["go", "build", "-o", program, ROOT / "Benchmarks/Peers/server.go"], 120, {"GO111MODULE": "off"})
        command = [program, plain, secure, self.certificate, self.key]
        # Go's server supports HTTP/2 only over TLS.
        ports = {key: port for key, port in both(plain, secure).items() if key != "http2"}
        return self.start("go", command, ports, {"GOMAXPROCS": str(WORKERS)})

    def node(self) -> Server:
        ports = dict(zip(["http1", "http2", "http1-tls", "http2-tls"], free_ports(4)))
        command = ["node", ROOT / "Benchmarks/Peers/server.js", *ports.values(), self.certificate, self.key]
        return self.start("node", command, ports)

    # Servers of streams

    def granary_disk(self) -> Server:
        return self.counters("disk")

    def granary_memory(self) -> Server:
        return self.counters("memory")

    def counters(self, durability: str) -> Server:
        """Serves the counter as granary does."""
        [port] = free_ports(1)
        # Each start has its own directory, so that none restores the sessions of another one.
        state = tempfile.mkdtemp(dir=self.states.name)
        command = [
            self.binaries / "http-bench-server", "serve", "--http.port", port, "--http.loops", WORKERS,
            "--sessions.durability", durability, "--sessions.stateDirectory", state,
            "--sessions.maxStreamsPerSession", 20000, "--log.level", "warning"]
        return self.start(f"{OURS}_{durability}", command, {"http1": port, "http2": port})

    def nchan(self) -> Server:
        plain, multiplexed = free_ports(2)
        servers = f"""nchan_max_reserved_memory 256M;
        server {{
            listen 127.0.0.1:{plain} reuseport backlog=1024;
            listen 127.0.0.1:{multiplexed} http2 reuseport backlog=1024;
            http2_max_concurrent_streams 1000;
            location ~ ^/inputs/(.+)$ {{ nchan_publisher; nchan_channel_id $1; nchan_message_buffer_length 16; }}
            location ~ ^/streams/(.+)$ {{
                nchan_subscriber eventsource;
                nchan_channel_id $1;
                nchan_subscriber_first_message newest;
            }}
        }}"""
        module = "load_module /usr/lib/nginx/modules/ngx_nchan_module.so;"
        return self.start("nchan", self.nginx_command("nchan", module, servers), {"http1": plain, "http2": multiplexed})

    def bare_loop(self) -> Server:
        [port] = free_ports(1)
        return self.start("bare_loop", [self.binaries / "bare-loop", port], {"http1": port})

    def nginx_command(self, name: str, modules: str, servers: str) -> list:
        configuration = self.folder / f"{name}.conf"
        descriptors = output(["sh", "-c", "ulimit -Hn"], 5).strip()
        connections = min(int(descriptors), 100000) if descriptors.isdigit() else 100000
        configuration.write_text(f"""{modules}
            worker_processes {WORKERS};
            daemon off;
            pid {self.folder}/{name}.pid;
            error_log stderr crit;
            worker_rlimit_nofile {connections};
            events {{ worker_connections {connections - 100}; }}
            http {{
                access_log off;
                keepalive_requests 1000000000;
                keepalive_timeout 1h;
                {servers}
            }}""")
        return ["nginx", "-p", self.folder, "-c", configuration]


def both(plain: int, secure: int) -> dict:
    """Returns the ports of a server that detects the protocol by itself."""
    return {"http1": plain, "http2": plain, "http1-tls": secure, "http2-tls": secure}


def versions() -> dict:
    """Returns the versions of the compared programs by name."""
    commands = {
        "nginx": "nginx -v", "nghttpd": "nghttpd --version", "go": "go version", "node": "node --version",
        "OpenSSL": "openssl version", "wrk": "wrk -v",
        "nchan": "dpkg-query --show --showformat='${Version}' libnginx-mod-nchan",
        "granary": f"git -C {ROOT} rev-parse --short HEAD", "Swift": "swift --version",
    }
    found = {"processors": str(os.cpu_count())}
    for name, command in commands.items():
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=30, check=False)
        lines = (done.stdout + done.stderr).strip().splitlines() or [""]
        match = re.search(r"\d+(\.\d+)+\S*", lines[0])
        found[name] = match[0] if match and name != "granary" else lines[0]
    return found
