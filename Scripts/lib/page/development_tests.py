"""The page of a server of `granary dev`, with a file in place of the command that reports what it is doing."""

import json
import os
import tempfile
import time
import unittest
from pathlib import Path

from page.browser import SCREENSHOTS, View, make_browser, measures_time
from page.server import Server

VARIABLE = "GRANARY_DEVELOPMENT_STATUS"


class DevelopmentTests(View, unittest.TestCase):
    def setUp(self):
        SCREENSHOTS.mkdir(exist_ok=True)
        self.status = Path(tempfile.mkdtemp()) / "status.json"
        self.report(build=1, state="serving")
        os.environ[VARIABLE] = str(self.status)
        self.addCleanup(os.environ.pop, VARIABLE)
        self.server = Server()
        self.server.start()
        self.addCleanup(self.server.stop)
        self.browser = make_browser()
        self.addCleanup(self.browser.quit)
        self.visit(self.server.url)
        # Does not survive a reload.
        self.browser.execute_script("window.isFirst = true")

    def report(self, **status):
        """Reports a status, as the command does: no page reads half of it."""
        written = self.status.with_suffix(".new")
        written.write_text(json.dumps(status))
        written.replace(self.status)

    def is_first(self):
        return self.browser.execute_script("return window.isFirst === true")

    def test_a_broken_build_is_shown_and_a_fixed_one_is_loaded_with_the_session(self):
        self.switch_on()
        self.count(1)
        self.report(build=1, state="building")
        self.report(build=1, state="failed", text="Counter.swift:3:20: error: cannot convert value of type 'String'")
        self.wait_for("the error is shown", lambda: self.find(".build").is_displayed())
        self.assertIn("Counter.swift:3:20: error:", self.text(".build pre"))
        self.browser.save_screenshot(str(SCREENSHOTS / "development-failed.png"))
        # The server of the last good build continues.
        self.count(2)
        self.assertTrue(self.is_first())
        self.report(build=2, state="serving")
        self.wait_for("the page is loaded again", lambda: not self.is_first())
        self.wait_until_live()
        self.wait_for_number(2)
        self.count(3)
        self.assertFalse(self.find(".build").is_displayed())

    @measures_time
    def test_a_page_follows_a_new_build_within_a_second(self):
        times = []
        for build in range(2, 7):
            self.browser.execute_script("window.isFirst = true")
            self.report(build=build, state="serving")
            begun = time.monotonic()
            self.wait_for("the page is loaded again", lambda: not self.is_first())
            self.wait_until_live()
            times.append(time.monotonic() - begun)
        print(f"from the new build to the updated page: {', '.join(f'{1000 * each:.0f} ms' for each in times)}", flush=True)
        self.assertLess(sorted(times)[2], 1)
