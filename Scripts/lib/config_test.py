"""Tests the files in Config for deployments, with real proxies in front of a server. Scripts/test-config starts it."""

import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

import yaml

from http_bench.processes import PATIENCE, Failure, Server, free_ports

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIG = ROOT / "Config"
# The maximum duration in seconds.
LONGEST = 600
HOST = "granary.example"
JSON = {"Content-Type": "application/json"}


def run(*command, folder: pathlib.Path = ROOT, environment: dict = None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
        timeout=PATIENCE, env=environment)


def program(name: str) -> str:
    """Returns the path of a program that Debian installs for administrators."""
    return shutil.which(name) or f"/usr/sbin/{name}"


class ConfigTest(unittest.TestCase):
    binary: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="config-test")))
        done = run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", cls.folder / "site.key", "-out",
            cls.folder / "site.pem")
        assert done.returncode == 0, done.stderr
        both = (cls.folder / "site.pem").read_text() + (cls.folder / "site.key").read_text()
        (cls.folder / "site-and-key.pem").write_text(both)

    def replaced(self, text: str, changes: dict) -> str:
        """Returns the text with other places. Every one of them has to occur."""
        for old, new in changes.items():
            self.assertIn(old, text)
            text = text.replace(old, str(new))
        return text

    def nginx(self, plain: int, secure: int) -> list:
        text = self.replaced((CONFIG / "nginx" / "granary.conf").read_text(), {
            "listen 80;": f"listen 127.0.0.1:{plain};", "listen [::]:80;": "",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{secure} ssl http2;", "listen [::]:443 ssl http2;": "",
            "/etc/ssl/granary": self.folder, "/run/granary": self.folder})
        (self.folder / "granary.conf").write_text(text)
        names = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        folders = "".join(f"    {name}_temp_path {self.folder}/{name};\n" for name in names)
        user = "user root;\n" if os.getuid() == 0 else ""
        main = self.folder / "nginx.conf"
        main.write_text(
            f"{user}daemon off;\npid {self.folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\n"
            f"http {{\n    access_log off;\n{folders}    include {self.folder}/granary.conf;\n}}\n")
        return [program("nginx"), "-e", "stderr", "-p", self.folder, "-c", main]

    def haproxy(self, plain: int, secure: int) -> list:
        text = self.replaced((CONFIG / "haproxy" / "haproxy.cfg").read_text(), {
            "bind :80\n": f"bind 127.0.0.1:{plain}\n", "bind :443 ": f"bind 127.0.0.1:{secure} ",
            "    user haproxy\n": "", "    group haproxy\n": "", "/etc/ssl/granary": self.folder,
            "/run/granary": self.folder})
        path = self.folder / "haproxy.cfg"
        path.write_text(text)
        return [program("haproxy"), "-db", "-f", path]

    def server(self, example: str, *more: str) -> Server:
        """Starts a server with the flags that the comment of a file states."""
        text = (CONFIG / example).read_text()
        command = re.search(r"#   granary serve (.*\n(?:#       .*\n)*)", text)
        self.assertIsNotNone(command, f"{example} does not state how the server is started")
        (admin,) = free_ports(1)
        flags = self.replaced(command[1].replace("\n#", " "), {
            "/run/granary": self.folder, "127.0.0.1:9090": f"127.0.0.1:{admin}"}).split()
        state = self.folder / f"state-{admin}"
        # The mode is for a socket that a group shares. The proxy of the test has the user of the server.
        return Server(
            example.replace("/", "-"),
            [self.binary, "serve", *flags, "--http.loops", 2, "--sessions.stateDirectory", state, *more],
            {"admin": admin}, self.folder)

    def request(self, port: int, method: str, path: str, body: str = None, fields: dict = None):
        """Returns a response over TLS, whose body has not been read."""
        context = ssl.create_default_context(cafile=self.folder / "site.pem")
        connection = http.client.HTTPSConnection(HOST, port, timeout=PATIENCE, context=context)
        connection._create_connection = lambda address, *rest: socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.addCleanup(connection.close)
        connection.request(method, path, body=body, headers={"Host": HOST, **(fields or {})})
        return connection.getresponse()

    def check_forwarding(self, plain: int, secure: int) -> None:
        page = self.request(secure, "GET", "/")
        self.assertEqual((page.status, page.headers.get_content_type()), (200, "text/html"))
        created = self.request(
            secure, "POST", "/v1/sessions", '{"machine":"counter"}', {**JSON, "Sec-Fetch-Site": "same-origin"})
        self.assertEqual(created.status, 201, created.read())
        # The server believes the proxy that the client uses TLS, so the cookie is one for TLS only.
        cookie = created.headers["Set-Cookie"]
        self.assertTrue(cookie.startswith("__Host-granary="), cookie)
        owner = {"Cookie": cookie.split(";")[0], "Sec-Fetch-Site": "same-origin"}
        self.check_stream(secure, created.headers["Location"], owner)
        # The name of the server is listed, so another one is refused although the proxy forwards it.
        other = self.request(secure, "GET", "/v1/machines", fields={"Host": "evil.example"})
        self.assertEqual(other.status, 421)
        # Without the content: a proxy that passes on the refusal may reset the connection of a client that is still sending.
        large = self.request(secure, "POST", "/v1/sessions", fields={**JSON, "Content-Length": str(2 << 20)})
        self.assertEqual(large.status, 413)
        self.check_curl(plain, secure)

    def check_stream(self, secure: int, session: str, owner: dict) -> None:
        """Every event arrives when it is sent, not when a buffer is full."""
        stream = self.request(secure, "GET", f"{session}/outputs", fields={"Accept": "text/event-stream", **owner})
        self.assertEqual(stream.headers.get_content_type(), "text/event-stream")
        for _ in range(3):
            self.assertTrue(self.next_event(stream))
            done = self.request(secure, "POST", f"{session}/inputs/increment", "", {**JSON, **owner})
            self.assertIn(done.status, (200, 202, 204), done.read())
        self.assertTrue(self.next_event(stream))

    def next_event(self, stream) -> str:
        """Returns the data of the next event. The connection's timeout limits the wait."""
        while line := stream.readline().decode():
            if line.startswith("data:"):
                return line
        self.fail("the stream has ended")

    def check_curl(self, plain: int, secure: int) -> None:
        """HTTP/2 arrives, and cleartext is redirected."""
        options = ["--silent", "--output", "/dev/null", "--max-time", "10", "--cacert", self.folder / "site.pem",
                   "--resolve", f"{HOST}:{secure}:127.0.0.1", "--resolve", f"{HOST}:{plain}:127.0.0.1"]
        done = run("curl", *options, "--http2", "--write-out", "%{http_version} %{http_code}",
                   f"https://{HOST}:{secure}/v1/machines")
        self.assertEqual(done.stdout, "2 200", done.stderr)
        done = run("curl", *options, "--write-out", "%{http_code} %{redirect_url}", f"http://{HOST}:{plain}/x?y")
        self.assertRegex(done.stdout, rf"^308 https://{HOST}(:{plain})?/x\?y$")

    def check_claims(self, secure: int) -> None:
        """What only the proxy may say is not believed if a client says it."""
        for fields in [{"X-Forwarded-User": "ada"}, {"Forwarded": "for=192.0.2.1", "X-Forwarded-User": "ada"}]:
            answer = self.request(secure, "GET", "/v1/machines", fields=fields)
            self.assertEqual(answer.status, 401, fields)

    def check_proxy(self, example: str, make) -> None:
        plain, secure = free_ports(2)
        command = make(plain, secure)
        checked = run(*command, {"nginx": "-t", "haproxy": "-c"}[pathlib.Path(command[0]).name])
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertNotIn("warn", checked.stderr.lower())
        server = self.server(example)
        try:
            proxy = Server(f"proxy {example.replace('/', '-')}", command, {"http": plain, "https": secure}, self.folder)
            try:
                self.await_ready(secure)
                self.check_forwarding(plain, secure)
                server.stop()
                server = self.server(example, "--access.requires", "--access.proxyField", "X-Forwarded-User")
                self.await_ready(secure)
                self.check_claims(secure)
            finally:
                proxy.stop()
        finally:
            server.stop()

    def await_ready(self, secure: int) -> None:
        """Waits until the proxy knows that the server is there."""
        end = time.monotonic() + 20
        while self.request(secure, "GET", "/health/ready").status != 200:
            self.assertLess(time.monotonic(), end, "the proxy does not reach the server")
            time.sleep(0.1)

    def test_nginx(self) -> None:
        self.check_proxy("nginx/granary.conf", self.nginx)

    def test_haproxy(self) -> None:
        self.check_proxy("haproxy/haproxy.cfg", self.haproxy)

    def check_environment(self, values: dict) -> str:
        """Returns the warnings of the server about an environment."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GRANARY_")}
        done = run(self.binary, "check-config", environment={**clean, **values})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_kubernetes(self) -> None:
        service, workload = yaml.safe_load_all((CONFIG / "kubernetes" / "granary.yaml").read_text())
        pod = workload["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        # Creates the file of keys as the comment states.
        keys = self.folder / "api.keys"
        keys.unlink(missing_ok=True)
        made = run(self.binary, "keys", "new", "prometheus", "--access.apiKeys", keys)
        self.assertEqual(made.returncode, 0, made.stderr)
        values = {each["name"]: each["value"] for each in container["env"]}
        self.assertEqual(values["GRANARY_ACCESS_API_KEYS"], "/etc/granary/keys/api.keys")
        warnings = self.check_environment({**values, "GRANARY_ACCESS_API_KEYS": str(keys)})
        # TLS is the concern of the cluster.
        self.assertNotIn("everyone who can connect", warnings)
        # Ports, volumes and labels refer to each other.
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        for name, port in ports.items():
            self.assertIn(f":{port}", values["GRANARY_HTTP_LISTENERS"], name)
        self.assertLessEqual({port["targetPort"] for port in service["spec"]["ports"]}, set(ports))
        probes = ["startupProbe", "livenessProbe", "readinessProbe"]
        self.assertEqual({container[probe]["httpGet"]["port"] for probe in probes}, {"admin"})
        volumes = {each["name"] for each in pod["volumes"]}
        volumes |= {each["metadata"]["name"] for each in workload["spec"]["volumeClaimTemplates"]}
        self.assertEqual({mount["name"] for mount in container["volumeMounts"]}, volumes)
        labels = workload["spec"]["template"]["metadata"]["labels"]
        self.assertEqual([workload["spec"]["selector"]["matchLabels"], service["spec"]["selector"]], [labels, labels])
        drain = int(values["GRANARY_HTTP_DRAIN_TIMEOUT"].removesuffix("s"))
        pause = container["lifecycle"]["preStop"]["sleep"]["seconds"]
        self.assertGreater(pod["terminationGracePeriodSeconds"], drain + pause)

    def test_compose(self) -> None:
        path = CONFIG / "compose" / "compose.yaml"
        # Debian's docker-compose checks the file without a daemon.
        checked = run("docker-compose", "--file", path, "config", "--quiet")
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))
        file = yaml.safe_load(path.read_text())
        service = file["services"]["granary"]
        self.assertEqual(self.check_environment(service["environment"]), "")
        for mount in service["volumes"]:
            self.assertIn(mount.split(":")[0], file["volumes"])
        self.assertLessEqual(set(service["networks"]), set(file["networks"]))
        # The image stores sessions in the volume.
        image = (ROOT / "Dockerfile").read_text()
        self.assertIn(f"VOLUME {service['volumes'][0].split(':')[1]}\n", image)


def overdue(*_) -> None:
    raise TimeoutError(f"the test took longer than {LONGEST} seconds")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: config_test.py BINARY")
    ConfigTest.binary = str(pathlib.Path(sys.argv.pop()).resolve())
    signal.signal(signal.SIGALRM, overdue)
    signal.alarm(LONGEST)
    unittest.main(verbosity=1)
