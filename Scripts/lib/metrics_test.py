"""Tests the metrics of a server with promtool and a real Prometheus. Scripts/test-metrics starts it."""

import http.client
import json
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

from http_bench.processes import PATIENCE, Server, free_ports

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIG = ROOT / "Config" / "prometheus"
DASHBOARD = ROOT / "Config" / "grafana" / "granary.json"
# The maximum duration in seconds.
LONGEST = 600
# Functions and labels of PromQL look like names of metrics, so only names with these prefixes are checked.
METRIC = re.compile(r"\b((?:granary|process)_[a-z_]+)\b")


def read(port: int, path: str, method: str = "GET", body: str = None, fields: dict = None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, body=body, headers=fields or {})
        response = connection.getresponse()
        return response.status, response.headers, response.read().decode()
    finally:
        connection.close()


def promtool(*arguments, text: str = None) -> str:
    """Runs promtool; a failure has its output as the message."""
    done = subprocess.run(
        ["promtool", *map(str, arguments)], input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        cwd=CONFIG, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout
    return done.stdout


class MetricsTest(unittest.TestCase):
    binary: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="metrics-test")))
        # Nothing listens on the last one.
        cls.public, cls.admin, cls.prometheus, collector = free_ports(4)
        listeners = f"http://127.0.0.1:{cls.public},admin+http://127.0.0.1:{cls.admin}"
        cls.server = Server(
            "granary",
            [cls.binary, "serve", "--http.listeners", listeners, "--http.loops", 2, "--log.access", "true",
             "--log.format", "json", "--sessions.stateDirectory", cls.folder / "state",
             "--traces.endpoint", f"http://127.0.0.1:{collector}/v1/traces", "--traces.ratio", 1],
            {"http1": cls.public}, cls.folder)
        cls.addClassCleanup(cls.server.stop)
        cls.use()

    @classmethod
    def use(cls) -> None:
        """Lets the server do a little of everything."""
        fields = {"Content-Type": "application/json"}
        for _ in range(4):
            status, head, text = read(cls.public, "/v1/sessions", "POST", '{"machine":"counter"}', fields)
            assert status == 201, text
            cls.session = head["Location"]
            for _ in range(5):
                read(cls.public, cls.session + "/inputs/increment", "POST")
            read(cls.public, cls.session + "/inputs/absent", "POST")
        read(cls.public, cls.session, "DELETE")
        read(cls.public, "/v1/secret-of-a-client?token=secret")

    def scrape(self, fields: dict = None) -> str:
        status, _, text = read(self.admin, "/metrics", fields=fields)
        self.assertEqual(status, 200, text)
        return text

    def value(self, series: str) -> float:
        found = re.search(rf"^{re.escape(series)} (\S+)$", self.scrape(), re.M)
        self.assertIsNotNone(found, f"{series} is missing")
        return float(found[1])

    def test_promtool_accepts_the_metrics(self) -> None:
        self.assertEqual(promtool("check", "metrics", text=self.scrape()).strip(), "")

    def test_requests_sessions_and_inputs_are_counted(self) -> None:
        route = "/v1/sessions/{id}/inputs/{input}"
        self.assertEqual(self.value(f'granary_http_requests_total{{route="{route}",method="POST",status="2xx"}}'), 20)
        self.assertEqual(self.value(f'granary_http_requests_total{{route="{route}",method="POST",status="4xx"}}'), 4)
        self.assertEqual(self.value('granary_sessions_created_total{machine="counter"}'), 4)
        self.assertEqual(self.value('granary_sessions_ended_total{machine="counter",reason="deleted"}'), 1)
        self.assertEqual(self.value('granary_sessions{machine="counter"}'), 3)
        self.assertEqual(self.value('granary_inputs_total{machine="counter"}'), 20)
        self.assertGreater(self.value("granary_journal_commit_duration_seconds_count"), 0)

    def test_metrics_and_log_contain_nothing_of_clients(self) -> None:
        lines = [line for line in self.server.log.read_text().splitlines() if '"message":"request"' in line]
        self.assertGreater(len(lines), 24)
        for secret in ("secret", self.session.rsplit("/", 1)[1], "127.0.0.1"):
            for text in [self.scrape(), *lines]:
                self.assertNotIn(secret, text)

    def test_the_access_log_has_a_line_for_each_response(self) -> None:
        lines = [json.loads(line) for line in self.server.log.read_text().splitlines() if line.startswith("{")]
        lines = [line for line in lines if line["message"] == "request"]
        inputs = [line for line in lines if line["route"] == "/v1/sessions/{id}/inputs/{input}"]
        self.assertEqual(len(inputs), 24)
        self.assertEqual(len({line["session"] for line in inputs}), 4)

    def test_public_listeners_have_no_metrics(self) -> None:
        self.assertEqual(read(self.public, "/metrics")[0], 404)

    def test_junk_is_refused(self) -> None:
        status, head, _ = read(self.admin, "/metrics", "POST", "x" * 1000)
        self.assertEqual((status, head["Allow"]), (405, "GET, HEAD"))
        with socket.create_connection(("127.0.0.1", self.admin), PATIENCE) as junk:
            junk.sendall(b"\x00\xff junk\r\n\r\n")
            junk.settimeout(PATIENCE)
            self.assertTrue(junk.recv(100).startswith(b"HTTP/1.1 400"))
        self.scrape({"Accept": "junk;;,,q=" + "x" * 500})

    def test_scrapers_that_leave_and_that_read_nothing_do_no_harm(self) -> None:
        request = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
        stalled = [socket.create_connection(("127.0.0.1", self.admin), PATIENCE) for _ in range(20)]
        try:
            for each in stalled:
                each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
                each.sendall(request * 20)
            for _ in range(20):
                with socket.create_connection(("127.0.0.1", self.admin), PATIENCE) as leaving:
                    leaving.sendall(request)
            self.scrape()
        finally:
            for each in stalled:
                each.close()

    def test_scrapes_in_parallel_all_get_a_response(self) -> None:
        found = []
        threads = [threading.Thread(target=lambda: found.append(self.scrape())) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        self.assertEqual(len(found), 20)

    def test_open_metrics_ends_with_its_mark(self) -> None:
        text = self.scrape({"Accept": "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"})
        self.assertTrue(text.endswith("# EOF\n"))

    def test_each_alert_fires(self) -> None:
        promtool("check", "rules", "granary-alerts.yml")
        promtool("check", "config", "prometheus.yml")
        promtool("test", "rules", "granary-alerts-test.yml")
        alerts = set(re.findall(r"- alert: (\w+)", (CONFIG / "granary-alerts.yml").read_text()))
        tested = set(re.findall(r"- alertname: (\w+)", (CONFIG / "granary-alerts-test.yml").read_text()))
        self.assertEqual(alerts, tested)

    def test_alerts_and_the_dashboard_use_metrics_that_exist(self) -> None:
        text = self.scrape()
        known = set(re.findall(r"^([a-z_]+)(?:\{| )", text, re.M))
        panels = json.loads(DASHBOARD.read_text())["panels"]
        used = [target["expr"] for panel in panels for target in panel["targets"]]
        used += re.findall(r"expr:(.*?)\n      +(?:for|labels):", (CONFIG / "granary-alerts.yml").read_text(), re.S)
        self.assertGreater(len(used), 25)
        for expression in used:
            for name in METRIC.findall(expression):
                self.assertIn(name, known, expression)

    def query(self, expression: str) -> list:
        path = "/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        status, _, text = read(self.prometheus, path)
        return json.loads(text)["data"]["result"] if status == 200 else []

    def test_a_real_prometheus_scrapes_the_server(self) -> None:
        configuration = (CONFIG / "prometheus.yml").read_text()
        configuration = configuration.replace("127.0.0.1:9090", f"127.0.0.1:{self.admin}", 2)
        configuration = configuration.replace("interval: 15s", "interval: 1s").replace("timeout: 5s", "timeout: 1s")
        (self.folder / "prometheus.yml").write_text(configuration)
        (self.folder / "granary-alerts.yml").write_text((CONFIG / "granary-alerts.yml").read_text())
        process = subprocess.Popen(
            ["prometheus", f"--config.file={self.folder / 'prometheus.yml'}",
             f"--storage.tsdb.path={self.folder / 'data'}", f"--web.listen-address=127.0.0.1:{self.prometheus}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wanted = 'sum(granary_inputs_total{job="granary"})'
            found, end = [], time.monotonic() + 60
            while not found and time.monotonic() < end:
                time.sleep(0.5)
                try:
                    found = self.query(wanted)
                except OSError:
                    self.assertIsNone(process.poll(), "prometheus has ended")
            self.assertEqual([each["value"][1] for each in found], ["20"])
            self.assertEqual([each["value"][1] for each in self.query('up{job="granary"}')], ["1"])
            rules = json.loads(read(self.prometheus, "/api/v1/rules")[2])["data"]["groups"][0]["rules"]
            self.assertEqual({rule["health"] for rule in rules} - {"unknown"}, {"ok"})
        finally:
            process.terminate()
            process.wait(PATIENCE)


def overdue(*_) -> None:
    raise TimeoutError(f"the test took longer than {LONGEST} seconds")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: metrics_test.py BINARY")
    MetricsTest.binary = sys.argv.pop()
    signal.signal(signal.SIGALRM, overdue)
    signal.alarm(LONGEST)
    unittest.main(verbosity=1)
