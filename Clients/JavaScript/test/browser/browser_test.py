"""Tests in a headless Chromium what the client needs a browser for: browser_test.py. Called by Scripts/test-clients."""

import functools
import http.server
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3] / "Scripts/lib"))

from page.browser import View, make_browser  # noqa: E402
from page.server import PATIENCE, Server  # noqa: E402

# A browser without shared workers.
NO_WORKERS = {"source": "delete window.SharedWorker;"}
# A browser that has, besides, no locks.
NO_LOCKS = {"source": "delete window.SharedWorker; delete Navigator.prototype.locks;"}


class BrowserCase(View, unittest.TestCase):
    script = None

    def setUp(self):
        self.site = subprocess.Popen(["node", str(HERE / "site.js")], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.site.wait, PATIENCE)
        self.addCleanup(self.site.stdout.close)
        self.addCleanup(self.site.terminate)
        self.address = self.site.stdout.readline().strip()
        self.browser = make_browser()
        self.addCleanup(self.browser.quit)
        self.open()

    def control(self, name):
        with urllib.request.urlopen(f"{self.address}/control/{name}", timeout=PATIENCE) as response:
            return json.load(response)

    def open(self):
        if self.script:
            self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", self.script)
        self.browser.get(f"{self.address}/client/page.html")
        self.wait_until_live()
        return self.browser.current_window_handle

    def open_tabs(self, count):
        tabs = [self.browser.current_window_handle]
        for _ in range(count - 1):
            self.browser.switch_to.new_window("tab")
            tabs.append(self.open())
        return tabs

    def run_script(self, script, *values):
        return self.browser.execute_script(script, *values)

    def status(self):
        return self.run_script("return window.counter?.status.status")

    def wait_until_live(self):
        self.wait_for("the counter is live", lambda: self.status() == "live")

    def wait_for_count(self, count):
        self.wait_for(f"the number is {count}", lambda: self.run_script("return window.counter.outputs.count") == count)

    def wait_for_bells(self, count):
        self.wait_for(f"{count} events", lambda: self.run_script("return window.bells.length") >= count)
        self.assertEqual(self.run_script("return window.bells"), list(range(count)))

    def check_that_tabs_share_a_stream(self):
        tabs = self.open_tabs(12)
        self.assertEqual(self.control("streams")["count"], 1)
        for number, tab in enumerate(tabs):
            self.browser.switch_to.window(tab)
            self.run_script("window.counter.send('increment')")
            self.wait_for_count(number + 1)
        self.control("ring?from=0&count=10")
        for tab in tabs:
            self.browser.switch_to.window(tab)
            self.wait_for_bells(10)
            self.wait_for_count(12)
        self.assertEqual(self.control("streams")["count"], 1)
        return tabs


class WorkerTests(BrowserCase):
    def test_twelve_tabs_share_a_connection(self):
        self.check_that_tabs_share_a_stream()

    def test_another_tab_does_not_open_the_stream_again(self):
        self.open_tabs(3)
        self.assertEqual(len(self.control("streams")["opened"]), 1)


class LeaderTests(BrowserCase):
    """Without shared workers, one of the tabs has the stream."""

    script = NO_WORKERS

    def test_twelve_tabs_share_a_connection_and_another_takes_over_when_the_leader_is_closed(self):
        tabs = self.check_that_tabs_share_a_stream()
        self.browser.switch_to.window(tabs[0])
        self.control("ring?from=10&count=100")
        closed = 1000 * time.time()
        self.browser.close()
        for tab in tabs[1:]:
            self.browser.switch_to.window(tab)
            self.wait_for_bells(110)
            self.wait_until_live()
        pause = self.control("streams")["opened"][-1] - closed
        print(f"taken over after {pause:.0f} ms", end=" ", flush=True)
        self.assertGreater(pause, 0)
        self.assertLess(pause, 2000)
        self.assertEqual(self.control("streams")["count"], 1)

    def test_a_leader_that_crashes_is_replaced(self):
        tabs = self.open_tabs(3)
        self.crash(tabs[0])
        self.control("ring?from=0&count=50")
        for tab in tabs[1:]:
            self.browser.switch_to.window(tab)
            self.wait_for_bells(50)
        self.assertEqual(self.control("streams")["count"], 1)

    def test_a_jump_of_the_clock_opens_the_stream_again_without_a_gap(self):
        self.control("ring?from=0&count=5")
        self.wait_for_bells(5)
        before = len(self.control("streams")["opened"])
        self.run_script("const { now } = Date; Date.now = () => now() + 3_600_000;")
        self.wait_for("another stream", lambda: len(self.control("streams")["opened"]) > before)
        self.control("ring?from=5&count=5")
        self.wait_for_bells(10)
        self.wait_until_live()

    def test_inputs_wait_while_the_browser_is_offline(self):
        def offline(is_offline):
            self.browser.execute_cdp_cmd("Network.enable", {})
            self.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {
                "offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})

        offline(True)
        self.wait_for("offline", lambda: self.status() == "offline")
        self.run_script("""
          window.sent = [1, 2, 3].map((value) => window.counter.send("add", value, { optimistic: { count: (n) => n + value } }));
          Promise.all(window.sent).then(() => (window.isSent = true));
        """)
        self.assertEqual(self.run_script("return window.counter.outputs.count"), 6)
        self.assertEqual(self.control("session")["count"], 0)
        offline(False)
        self.wait_for("all inputs are sent", lambda: self.run_script("return window.isSent"))
        self.wait_until_live()
        self.assertEqual(self.control("session")["count"], 6)
        self.assertEqual(self.control("runs"), {"most": 1, "count": 3})

    def test_a_page_that_is_shown_again_continues(self):
        self.browser.get("about:blank")
        self.wait_for("no stream", lambda: self.control("streams")["count"] == 0)
        self.browser.back()
        self.wait_until_live()
        self.control("ring?from=0&count=5")
        self.wait_for("the events", lambda: self.run_script("return window.bells.length") == 5)


class LocalTests(BrowserCase):
    """Without locks, each tab has a stream."""

    script = NO_LOCKS

    def test_tabs_have_a_stream_each(self):
        tabs = self.open_tabs(2)
        self.assertEqual(self.control("streams")["count"], 2)
        self.run_script("window.counter.send('increment')")
        for tab in tabs:
            self.browser.switch_to.window(tab)
            self.wait_for_count(1)


class QuietFiles(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        """Suppresses the request log."""


@unittest.skipUnless(os.environ.get("GRANARY"), "GRANARY is not the path of a server")
class ExampleTests(View, unittest.TestCase):
    """The to-do list of Examples, against the real server."""

    def setUp(self):
        handler = functools.partial(QuietFiles, directory=str(HERE.parents[3]))
        site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.addCleanup(site.server_close)
        self.addCleanup(site.shutdown)
        threading.Thread(target=site.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{site.server_address[1]}"
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.server = Server("--access.origins", origin, binary=os.environ["GRANARY"])
        self.server.state = Path(self.folder.name)
        self.server.start(keeps_sessions=True)
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.stop())
        self.browser = make_browser()
        self.addCleanup(self.browser.quit)
        self.url = f"{origin}/Examples/Todo/index.html?server={self.server.url}"
        self.browser.get(self.url)
        self.wait_until_live()

    def wait_until_live(self):
        self.wait_for("the list is live", lambda: self.text("#status") == "live")

    def rows(self):
        return self.browser.execute_script("""
          return [...document.querySelectorAll("li")].map((row) => {
            const [check, text] = row.querySelectorAll("input");
            return [check.checked, text.value];
          });
        """)

    def wait_for_rows(self, *rows):
        self.wait_for(f"the rows {rows}", lambda: self.rows() == [list(row) for row in rows])

    def test_a_list_is_kept_across_a_reload_and_a_server_that_was_killed(self):
        self.find("#add").click()
        self.wait_for_rows((False, ""))
        self.find("li input:not([type])").send_keys("Write tests")
        self.find("#add").click()
        self.wait_for_rows((False, ""), (False, "Write tests"))
        first = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        self.browser.get(self.url)
        self.wait_for_rows((False, ""), (False, "Write tests"))
        self.browser.switch_to.window(first)
        self.server.stop(signal.SIGKILL)
        self.wait_for("offline", lambda: self.text("#status") == "offline")
        self.browser.find_elements("css selector", "li input[type=checkbox]")[1].click()
        self.assertEqual(self.rows(), [[False, ""], [True, "Write tests"]])
        self.browser.find_elements("css selector", "li button")[0].click()
        self.assertEqual(self.rows(), [[True, "Write tests"]])
        self.server.start(keeps_sessions=True)
        self.wait_until_live()
        self.browser.switch_to.window(self.browser.window_handles[1])
        self.wait_for_rows((True, "Write tests"))
        self.browser.refresh()
        self.wait_for_rows((True, "Write tests"))
        self.assertEqual(self.text("#problem"), "")


if __name__ == "__main__":
    result = unittest.main(verbosity=2, exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(0 if result.testsRun and not failed else 1)
