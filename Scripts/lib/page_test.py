"""Drives the page in a headless Chromium: page_test.py PATH-OF-GRANARY

A stand-in for the search service runs beside it, so that the outcome does not depend on the network.
"""

import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

SCREENSHOTS = Path(__file__).resolve().parents[2] / "screenshots"
BINARY = sys.argv.pop(1) if len(sys.argv) > 1 else ""
PATIENCE = 20
TIC_TAC_TOE_MOVE = '{"id": 4}'


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class SearchService(http.server.ThreadingHTTPServer):
    """Answers every search as GitHub does, with two pages of three repositories that have the query in their names."""

    daemon_threads = True

    def __init__(self):
        self.queries = []
        super().__init__(("127.0.0.1", 0), SearchHandler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class SearchHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        parameters = urllib.parse.parse_qs(parts.query)
        query = parameters.get("q", [""])[0]
        page = int(parameters.get("page", ["1"])[0])
        self.server.queries.append(query)
        items = [{
            "id": number, "full_name": f"owner{number}/{query}", "description": f"All about {query}",
            "stargazers_count": 1000 * number, "html_url": f"https://github.com/owner{number}/{query}",
            "language": None, "updated_at": "2026-01-02T03:04:05Z",
            "owner": {"login": f"owner{number}", "avatar_url": f"https://avatars.githubusercontent.com/u/{number}"},
        } for number in range(3 * page - 2, 3 * page + 1)]
        body = json.dumps({"total_count": 6, "incomplete_results": False, "items": items}).encode()
        self.send_response(200)
        if page == 1:
            host = self.headers["Host"]
            self.send_header("Link", f'<http://{host}{parts.path}?q={query}&page=2>; rel="next"')
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        """Keeps the test's output to the tests."""


class Server:
    """The server under test, on one port through all its restarts."""

    def __init__(self, search: SearchService):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.search_url = f"http://127.0.0.1:{search.server_address[1]}"
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [BINARY, "serve", "--http.port", str(self.port), "--github.baseURL", self.search_url],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/health/ready", timeout=1):
                    return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)


def make_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--disable-dev-shm-usage", "--window-size=1280,1000", "--hide-scrollbars"]:
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


class PageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        SCREENSHOTS.mkdir(exist_ok=True)
        cls.search = SearchService()
        cls.server = Server(cls.search)
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)
        cls.browser = make_browser()
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        self.browser.set_window_size(1280, 1000)
        self.browser.get(self.server.url)
        self.wait_for("both demos are live", lambda: self.situations() == ["live", "live"])

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def situations(self):
        return [badge.get_attribute("data-situation") for badge in
                self.browser.find_elements(By.CSS_SELECTOR, "#counter .badge, #github-search .badge")]

    def wait_for(self, what, condition):
        WebDriverWait(self.browser, PATIENCE, 0.05).until(lambda _: condition(), f"waited for: {what}")

    def switch_on(self):
        self.find("#counter [data-input=isOn]").click()
        self.wait_for("the button is enabled", lambda: self.find("#counter [data-input=increment]").is_enabled())

    def test_the_machines_are_listed_with_inputs_and_outputs(self):
        with urllib.request.urlopen(f"{self.server.url}/v1/machines") as answer:
            machines = json.load(answer)["machines"]
        cards = self.browser.find_elements(By.CSS_SELECTOR, ".machine")
        self.assertEqual([card.find_element(By.TAG_NAME, "h3").text for card in cards], [m["name"] for m in machines])
        for card, machine in zip(cards, machines):
            names = [code.text for code in card.find_elements(By.TAG_NAME, "code")]
            self.assertEqual(names, [port["name"] for port in machine["inputs"] + machine["outputs"]])

    def test_a_click_changes_the_number(self):
        self.assertEqual(self.text("#counter [data-output=count]"), "0")
        self.assertFalse(self.find("#counter [data-input=increment]").is_enabled())
        self.switch_on()
        for expected in ["1", "2", "3"]:
            self.find("#counter [data-input=increment]").click()
            self.wait_for(f"the number is {expected}", lambda: self.text("#counter [data-output=count]") == expected)
        self.find("#counter [data-input=decrement]").click()
        self.wait_for("the number is 2", lambda: self.text("#counter [data-output=count]") == "2")

    def test_the_keyboard_reaches_the_counter(self):
        self.switch_on()
        self.find("#counter [data-input=increment]").send_keys("\n")
        self.wait_for("the number is 1", lambda: self.text("#counter [data-output=count]") == "1")

    def test_a_search_shows_what_was_found_and_the_machine_debounces(self):
        self.search.queries.clear()
        self.find("#search-text").send_keys("combine")
        self.wait_for("three repositories", lambda: self.text("#github-search [data-output=status]") == "3 of 6 repositories")
        self.assertIn("owner1/combine", self.text("#github-search .results"))
        self.assertEqual(self.search.queries[-1], "combine")
        self.assertLess(len(self.search.queries), len("combine"))
        self.browser.save_screenshot(str(SCREENSHOTS / "desktop.png"))
        self.find("#github-search [data-input=nextPage]").click()
        self.wait_for("all six", lambda: self.text("#github-search [data-output=status]") == "6 repositories")
        self.assertIn("owner4/combine", self.text("#github-search .results"))
        self.assertFalse(self.find("#github-search [data-input=nextPage]").is_displayed())

    def test_any_machine_is_driven_from_its_card(self):
        card = "[data-machine=tic-tac-toe]"
        self.find(f"{card} > button").click()
        self.wait_for("its session is live",
                      lambda: self.find(f"{card} .badge").get_attribute("data-situation") == "live")
        player = self.text(f"{card} [data-output=currentPlayer]")
        field = self.find(f"{card} [data-input=handleAddress] :is(input, textarea)")
        field.clear()
        field.send_keys("no JSON")
        self.find(f"{card} [data-input=handleAddress] button").click()
        self.assertEqual(self.text(f"{card} [data-output=currentPlayer]"), player)
        field.clear()
        field.send_keys(TIC_TAC_TOE_MOVE)
        self.find(f"{card} [data-input=handleAddress] button").click()
        self.wait_for("the other player's turn", lambda: self.text(f"{card} [data-output=currentPlayer]") != player)
        self.find(f"{card} [data-input=startNewGame] button").click()
        self.wait_for("a new game", lambda: self.text(f"{card} [data-output=currentPlayer]") == player)
        self.browser.execute_script("arguments[0].scrollIntoView()", self.find(card))
        self.browser.save_screenshot(str(SCREENSHOTS / "console.png"))
        self.find(f"{card} > button").click()
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, f"{card} .console"), [])

    def test_a_killed_server_that_comes_back_is_found_again(self):
        self.switch_on()
        self.find("#counter [data-input=increment]").click()
        self.wait_for("the number is 1", lambda: self.text("#counter [data-output=count]") == "1")
        self.server.stop(signal.SIGKILL)
        self.wait_for("the page has noticed", lambda: self.situations() == ["waiting", "waiting"])
        self.server.start()
        self.wait_for("both demos are live again", lambda: self.situations() == ["live", "live"])
        if not self.find("#counter [data-input=increment]").is_enabled():
            self.switch_on()
        before = int(self.text("#counter [data-output=count]"))
        self.find("#counter [data-input=increment]").click()
        self.wait_for("the number grows", lambda: self.text("#counter [data-output=count]") == str(before + 1))

    def test_a_phone_shows_all_of_it(self):
        self.browser.set_window_size(500, 900)
        for width in [320, 390]:
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 844, "deviceScaleFactor": 2, "mobile": True})
            self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
            needed = self.browser.execute_script("return document.documentElement.scrollWidth")
            self.assertLessEqual(needed, width)
        for button in self.browser.find_elements(By.CSS_SELECTOR, "#counter button"):
            self.assertGreaterEqual(min(button.size["width"], button.size["height"]), 44)
        self.switch_on()
        self.browser.save_screenshot(str(SCREENSHOTS / "phone.png"))

    def test_nothing_is_refused_or_missing(self):
        self.browser.get_log("browser")
        self.browser.refresh()
        self.wait_for("both demos are live", lambda: self.situations() == ["live", "live"])
        self.assertEqual([entry["message"] for entry in self.browser.get_log("browser")], [])

    def test_dark_is_dark(self):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"features": []})
        colour = self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        self.assertLess(sum(int(part) for part in colour[4:-1].split(",")), 150)
        self.browser.save_screenshot(str(SCREENSHOTS / "dark.png"))


if __name__ == "__main__":
    result = unittest.main(verbosity=2, exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(0 if result.testsRun and not failed else 1)
