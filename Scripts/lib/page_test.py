"""Drives the page in a headless Chromium: page_test.py PATH-OF-GRANARY PATH-OF-SMALLEST-MACHINE

A stand-in for the search service runs beside it, so that the outcome does not depend on the network.
"""

import http.server
import json
import os
import re
import select
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

SCREENSHOTS = Path(__file__).resolve().parents[2] / "screenshots"
BINARY = sys.argv.pop(1) if len(sys.argv) > 1 else ""
SMALLEST_MACHINE = sys.argv.pop(1) if len(sys.argv) > 1 else ""
PATIENCE = 20
# A host other than localhost, which makes a page without TLS an insecure context with fewer browser features.
INSECURE_NAME = "granary.test"
TIC_TAC_TOE_MOVE = '{"id": 4}'


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class SearchService(http.server.ThreadingHTTPServer):
    """A fake of GitHub's search with two pages of three repositories whose names contain the query."""

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
        """Suppresses the request log."""


class Server:
    """The server under test, which keeps its port when it restarts."""

    def __init__(self, *arguments, binary=None, is_secure=False):
        self.port = free_port()
        self.scheme = "https" if is_secure else "http"
        self.url = f"{self.scheme}://127.0.0.1:{self.port}"
        port = ["--http.port", "0", "--tls.selfSigned", "true", "--tls.port"] if is_secure else ["--http.port"]
        self.command = [binary or BINARY, "serve", *port, str(self.port), *arguments]
        self.process = None
        self.state = ""

    def start(self, keeps_sessions=False):
        # By default a restarted server has lost its sessions.
        if not keeps_sessions:
            self.state = tempfile.mkdtemp(prefix="granary-page-")
        environment = {**os.environ, "XDG_STATE_HOME": self.state}
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with self.get("/health/ready"):
                    return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def get(self, path):
        return urllib.request.urlopen(self.url + path, timeout=1, context=ssl._create_unverified_context())

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)


class SilentStreams:
    """A relay between the browser and the server that can stop relaying event streams."""

    def __init__(self, port: int):
        self.upstream = port
        self.is_silent = False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.relay, args=(client,), daemon=True).start()

    def relay(self, client):
        """Relays bytes in both directions until either side closes."""
        is_stream = False
        try:
            server = socket.create_connection(("127.0.0.1", self.upstream))
        except OSError:
            # A page that another test has left still tries to reconnect, although its server is gone.
            client.close()
            return
        with client, server:
            while True:
                ready, _, _ = select.select([client, server], [], [])
                for source in ready:
                    data = source.recv(65536)
                    if not data:
                        return
                    if source is client:
                        is_stream = re.match(rb"GET /v1/sessions/[^/ ]+/outputs[? ]", data) is not None
                        server.sendall(data)
                    elif not (is_stream and self.is_silent):
                        client.sendall(data)

    def close(self):
        self.listener.close()


def make_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--disable-dev-shm-usage", "--window-size=1280,1000", "--hide-scrollbars",
                     "--ignore-certificate-errors", f"--host-resolver-rules=MAP {INSECURE_NAME} 127.0.0.1"]:
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


# Records all streams of the page, so that tests can count the open ones.
COUNT_STREAMS = """
window.streams = [];
window.EventSource = class extends EventSource {
  constructor(...values) {
    super(...values);
    window.streams.push(this);
  }
};
"""

# Records the content of the counter's card after each change.
WATCH_COUNTER = """
const card = document.querySelector("#counter");
window.seen = [];
new MutationObserver(() => {
  const text = (selector) => card.querySelector(selector).textContent;
  window.seen.push([card.querySelector(".badge").dataset.situation, text("[data-output=count]"), text(".news")]);
}).observe(card, { subtree: true, childList: true, characterData: true, attributes: true });
"""


class PageCase(unittest.TestCase):
    """A browser and a server for the tests of one class."""

    is_secure = False
    host = "127.0.0.1"

    @classmethod
    def setUpClass(cls):
        SCREENSHOTS.mkdir(exist_ok=True)
        cls.search = SearchService()
        cls.server = Server(
            "--github.baseURL", f"http://127.0.0.1:{cls.search.server_address[1]}",
            "--http.allowedHosts", f"127.0.0.1,localhost,{INSECURE_NAME}", is_secure=cls.is_secure)
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)
        cls.browser = make_browser()
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": COUNT_STREAMS})

    def setUp(self):
        self.browser.set_window_size(1280, 1000)
        address = f"{self.server.scheme}://{self.host}:{self.server.port}"
        # The tab continues the sessions of the test before.
        if self.browser.current_url.startswith(address):
            self.browser.execute_script("sessionStorage.clear()")
        self.visit(address)

    def visit(self, url):
        self.browser.get(url)
        self.wait_for("both demos are live", lambda: self.situations() == ["live", "live"])

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def situations(self):
        return self.browser.execute_script(
            "return [...document.querySelectorAll('#counter .badge, #github-search .badge')]"
            ".map((badge) => badge.dataset.situation)")

    def wait_for(self, what, condition):
        WebDriverWait(self.browser, PATIENCE, 0.05).until(lambda _: condition(), f"waited for: {what}")

    def situation(self, card):
        return self.find(f"{card} .badge").get_attribute("data-situation")

    def open_console(self, machine):
        """Opens the console of a machine and returns the selector of its card."""
        card = f"[data-machine={machine}]"
        self.find(f"{card} > button").click()
        return card

    def open_streams(self):
        return self.browser.execute_script(
            "return window.streams.filter((stream) => stream.readyState === EventSource.OPEN).length")

    def switch_on(self):
        self.find("#counter [data-input=isOn]").click()
        self.wait_for("the button is enabled", lambda: self.find("#counter [data-input=increment]").is_enabled())


class PageTests(PageCase):
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

    def test_a_search_shows_its_results_and_the_machine_debounces(self):
        self.search.queries.clear()
        self.find("#search-text").send_keys("combine")
        self.wait_for("three repositories",
                      lambda: self.text("#github-search [data-output=status]") == "3 of 6 repositories")
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

    def count_to_two(self):
        self.switch_on()
        for expected in ["1", "2"]:
            self.find("#counter [data-input=increment]").click()
            self.wait_for(f"the number is {expected}", lambda: self.text("#counter [data-output=count]") == expected)

    def assert_that_the_number_is_two(self):
        self.wait_for("both demos are live", lambda: self.situations() == ["live", "live"])
        self.assertEqual(self.text("#counter [data-output=count]"), "2")
        self.assertTrue(self.find("#counter [data-input=increment]").is_enabled())
        self.assertEqual(self.text("#counter .news"), "")

    def test_the_counter_keeps_its_number_across_a_reload(self):
        self.count_to_two()
        self.browser.refresh()
        self.assert_that_the_number_is_two()
        self.find("#counter [data-input=increment]").click()
        self.wait_for("the number is 3", lambda: self.text("#counter [data-output=count]") == "3")

    def test_the_counter_keeps_its_number_across_a_restart_of_the_server(self):
        self.count_to_two()
        self.server.stop(signal.SIGKILL)
        self.addCleanup(lambda: self.server.process.poll() is None or self.server.start())
        self.wait_for("the page shows the lost connection", lambda: self.situations() == ["waiting", "waiting"])
        self.server.start(keeps_sessions=True)
        self.assert_that_the_number_is_two()
        self.server.stop()
        self.server.start(keeps_sessions=True)
        self.browser.refresh()
        self.assert_that_the_number_is_two()

    def test_the_search_keeps_its_results_across_a_reload(self):
        self.find("#search-text").send_keys("combine")
        self.wait_for("three repositories",
                      lambda: self.text("#github-search [data-output=status]") == "3 of 6 repositories")
        self.browser.refresh()
        self.wait_for("the results", lambda: self.text("#github-search [data-output=status]") == "3 of 6 repositories")
        self.assertEqual(self.find("#search-text").get_attribute("value"), "combine")

    def delete_the_counters_session(self):
        """Deletes the session behind the page's back: its streams are closed, so they cannot tell it."""
        self.browser.execute_script("window.streams.forEach((stream) => stream.close())")
        session = self.browser.execute_script("return sessionStorage.getItem('granary-session-counter')")
        request = urllib.request.Request(f"{self.server.url}/v1/sessions/{session}", method="DELETE")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            self.assertEqual(answer.status, 204)

    def test_a_session_that_ended_before_a_reload_is_announced_as_new(self):
        self.count_to_two()
        self.delete_the_counters_session()
        self.browser.refresh()
        self.wait_for("both demos are live", lambda: self.situations() == ["live", "live"])
        self.assertEqual(self.text("#counter .news"), "The session had ended; this is a new session.")
        self.assertEqual(self.text("#counter [data-output=count]"), "0")

    def test_another_tab_has_sessions_of_its_own(self):
        self.count_to_two()
        self.browser.switch_to.new_window("tab")
        self.addCleanup(lambda: self.browser.switch_to.window(self.browser.window_handles[0]))
        self.browser.get(self.server.url)
        self.wait_for("the counter is live", lambda: self.situation("#counter") == "live")
        self.assertEqual(self.text("#counter [data-output=count]"), "0")
        self.browser.close()

    def test_the_page_reconnects_to_a_restarted_server(self):
        self.switch_on()
        self.find("#counter [data-input=increment]").click()
        self.wait_for("the number is 1", lambda: self.text("#counter [data-output=count]") == "1")
        self.server.stop(signal.SIGKILL)
        self.addCleanup(lambda: self.server.process.poll() is None or self.server.start())
        self.wait_for("the page shows the lost connection", lambda: self.situations() == ["waiting", "waiting"])
        self.browser.execute_script(WATCH_COUNTER)
        self.find("#counter [data-input=increment]").click()
        self.wait_for("the click failed", lambda: "cannot be reached" in self.text("#counter .note.is-error"))
        self.wait_for("seconds are counted",
                      lambda: re.search(r"reconnecting\s+in \d+ s", self.text("#counter .badge")))
        self.server.start()
        self.wait_for("both demos are live again", lambda: self.situations() == ["live", "live"])
        news = "The server was restarted; this is a new session."
        self.assertEqual(self.text("#counter .news"), news)
        self.assertEqual(self.find("#counter .news").get_attribute("role"), "status")
        self.browser.save_screenshot(str(SCREENSHOTS / "restarted.png"))
        seen = self.browser.execute_script("return window.seen")
        self.assertNotIn("failed", [situation for situation, _, _ in seen])
        self.assertEqual({text for situation, count, text in seen if count == "0"}, {news})
        self.assertEqual([row for row in seen if row[0] == "live" and row[1] == "1"], [])
        self.assertNotIn("Failed to fetch", self.find("body").text)
        self.switch_on()
        self.assertEqual(self.text("#counter .news"), "")
        self.find("#counter [data-input=increment]").click()
        self.wait_for("the number is 1", lambda: self.text("#counter [data-output=count]") == "1")

    def test_an_input_to_an_ended_session_shows_an_error(self):
        self.delete_the_counters_session()
        self.find("#counter [data-input=isOn]").click()
        self.wait_for("the news", lambda: "this is a new session" in self.text("#counter .news"))
        self.wait_for("the error", lambda: "had no effect" in self.text("#counter .note.is-error"))
        self.assertFalse(self.find("#counter [data-input=isOn]").is_selected())

    def test_a_pending_request_is_shown_at_its_control(self):
        self.switch_on()
        self.assertEqual(self.find("#counter .note").text, "")
        self.server.freeze()
        self.addCleanup(self.server.thaw)
        button = self.find("#counter [data-input=increment]")
        button.click()
        clicked = time.monotonic()
        self.wait_for("the button waits", lambda: button.get_attribute("data-waiting") is not None)
        self.assertLess(time.monotonic() - clicked, 5)
        self.assertEqual(self.text("#counter .note"), "Increment: waiting for the server…")
        self.assertEqual(self.situation("#counter"), "waiting")
        self.assertEqual(self.text("#counter .badge"), "waiting for the server")
        card = self.open_console("unio-counter")
        self.wait_for("the console waits", lambda: self.text(f"{card} .badge") == "waiting for the server")
        self.server.thaw()
        self.wait_for("the number is 1", lambda: self.text("#counter [data-output=count]") == "1")
        self.wait_for("the result", lambda: self.text("#counter .note").startswith("Increment: completed after "))
        self.wait_for("the counter is live", lambda: self.situation("#counter") == "live")
        self.wait_for("the console is live", lambda: self.situation(card) == "live")
        self.assertIsNone(button.get_attribute("data-waiting"))
        self.find(f"{card} > button").click()

    def test_a_stream_that_does_not_open_is_not_live(self):
        relay = SilentStreams(self.server.port)
        self.addCleanup(relay.close)
        relay.is_silent = True
        self.browser.get(relay.url)
        self.wait_for("the counter waits", lambda: self.text("#counter .badge") == "waiting for the server")
        self.assertEqual(self.situation("#counter"), "waiting")

    def test_a_silent_stream_is_not_live(self):
        relay = SilentStreams(self.server.port)
        self.addCleanup(relay.close)
        self.visit(relay.url)
        self.switch_on()
        relay.is_silent = True
        self.find("#counter [data-input=increment]").click()
        self.wait_for("the page shows the silent stream", lambda: self.situation("#counter") != "live")
        relay.is_silent = False
        self.wait_for("the counter is live", lambda: self.situation("#counter") == "live")
        self.wait_for("the number is 1", lambda: self.text("#counter [data-output=count]") == "1")

    def test_a_console_takes_the_focus_and_returns_it(self):
        for close in ["button", "escape"]:
            card = self.open_console("unio-counter")
            opener = self.find(f"{card} > button")
            self.assertEqual(self.browser.switch_to.active_element, self.find(f"{card} .console"))
            self.assertEqual(opener.get_attribute("aria-expanded"), "true")
            self.wait_for("its session is live", lambda: self.situation(card) == "live")
            button = self.find(f"{card} [data-input=countUp] button")
            button.click()
            if close == "escape":
                button.send_keys(Keys.ESCAPE)
            else:
                self.browser.execute_script("arguments[0].click()", opener)
            self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, f"{card} .console"), [])
            self.assertEqual(self.browser.switch_to.active_element, opener)
            self.assertEqual(opener.get_attribute("aria-expanded"), "false")

    def test_outputs_are_announced_without_flooding(self):
        card = self.open_console("unio-counter")
        outputs = self.find(f"{card} .console-outputs")
        self.assertEqual(outputs.get_attribute("aria-live"), "polite")
        self.wait_for("its session is live", lambda: self.situation(card) == "live")
        self.wait_for("the outputs rest", lambda: outputs.get_attribute("aria-busy") is None)
        button = self.find(f"{card} [data-input=countUp] button")
        self.browser.execute_script("""
          window.busy = [];
          new MutationObserver(() => window.busy.push(arguments[0].ariaBusy))
            .observe(arguments[0], { subtree: true, childList: true, characterData: true, attributes: true });
        """, outputs)
        self.browser.execute_script("for (let count = 0; count < 20; count += 1) arguments[0].click()", button)
        self.wait_for("the number is 20", lambda: self.text(f"{card} [data-output=count]") == "20")
        self.wait_for("the outputs rest", lambda: outputs.get_attribute("aria-busy") is None)
        busy = self.browser.execute_script("return window.busy")
        self.assertIsNone(busy[0])
        self.assertIsNone(busy[-1])
        self.assertIn("true", busy)
        self.find(f"{card} > button").click()

    def test_the_skip_link_leads_to_the_demos(self):
        skip = self.find(".skip")
        self.assertEqual(skip.get_attribute("textContent"), "Skip to the demos")
        self.assertTrue(self.find(skip.get_dom_attribute("href")).is_displayed())
        skip.send_keys("\n")
        self.assertEqual(self.browser.switch_to.active_element, self.find("#demos"))

    def test_forced_colours_show_the_switch_and_the_buttons(self):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "forced-colors", "value": "active"}]})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"features": []})
        self.assertTrue(self.browser.execute_script("return matchMedia('(forced-colors: active)').matches"))
        controls = ["isOn", "increment", "decrement"]
        pictures = {"off": [self.find(f"#counter [data-input={name}]").screenshot_as_base64 for name in controls]}
        self.switch_on()
        self.wait_for("the switch has moved", lambda: self.browser.execute_script(
            "return document.getAnimations().every((animation) => animation.playState !== 'running')"))
        pictures["on"] = [self.find(f"#counter [data-input={name}]").screenshot_as_base64 for name in controls]
        self.browser.save_screenshot(str(SCREENSHOTS / "forced-colours.png"))
        self.assertNotEqual(pictures["off"][0], pictures["on"][0])
        for state, shots in pictures.items():
            for name, shot in zip(controls, shots):
                # At least a tenth of the picture differs from its corner, so that the control is visible on the page.
                self.assertGreater(self.contrasting_share(shot), 0.1, f"{name}, {state}")

    def contrasting_share(self, picture):
        """Returns the share of a picture, from 0 to 1, whose brightness differs from that of its corner."""
        self.browser.switch_to.new_window("tab")
        try:
            return self.browser.execute_async_script("""
              const [picture, done] = arguments;
              const image = new Image();
              image.onload = () => {
                const canvas = document.createElement("canvas");
                [canvas.width, canvas.height] = [image.width, image.height];
                const context = canvas.getContext("2d");
                context.drawImage(image, 0, 0);
                const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
                const light = (at) => 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2];
                let count = 0;
                for (let at = 0; at < data.length; at += 4) count += Math.abs(light(at) - light(0)) > 60;
                done(count / (data.length / 4));
              };
              image.src = "data:image/png;base64," + picture;
            """, picture)
        finally:
            self.browser.close()
            self.browser.switch_to.window(self.browser.window_handles[0])

    def test_a_phone_shows_the_whole_page(self):
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

    def test_the_browser_logs_no_errors(self):
        self.browser.get_log("browser")
        self.browser.refresh()
        self.wait_for("both demos are live", lambda: self.situations() == ["live", "live"])
        self.assertEqual([entry["message"] for entry in self.browser.get_log("browser")], [])

    def test_the_dark_scheme_has_dark_colours(self):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"features": []})
        colour = self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        self.assertLess(sum(int(part) for part in colour[4:-1].split(",")), 150)
        self.browser.save_screenshot(str(SCREENSHOTS / "dark.png"))


class StreamTests(PageCase):
    """Over HTTP/1.1, a browser opens at most six connections, so streams must not use all of them."""

    machines = ["unio-counter", "composable-counter", "tic-tac-toe", "composable-todos"]

    def open_all(self, machines):
        return [self.open_console(machine) for machine in machines]

    def test_four_streams_are_open_and_the_others_show_the_reason(self):
        cards = self.open_all(self.machines)
        expected = ["live", "live", "paused", "paused"]
        self.wait_for("two consoles are live", lambda: [self.situation(card) for card in cards] == expected)
        self.assertEqual(self.situations(), ["live", "live"])
        self.assertEqual(self.open_streams(), 4)
        self.assertIn("six connections", self.text(f"{cards[3]} .detail"))
        self.assertEqual(self.text(f"{cards[3]} .badge"), "not following")
        self.browser.execute_script("arguments[0].scrollIntoView()", self.find(cards[3]))
        self.browser.save_screenshot(str(SCREENSHOTS / "not-following.png"))
        # Inputs work with and without a stream.
        self.switch_on()
        self.find("#counter [data-input=increment]").click()
        self.wait_for("the number is 1", lambda: self.text("#counter [data-output=count]") == "1")
        player = self.text(f"{cards[2]} [data-output=currentPlayer]")
        field = self.find(f"{cards[2]} [data-input=handleAddress] textarea")
        field.clear()
        field.send_keys(TIC_TAC_TOE_MOVE)
        self.find(f"{cards[2]} [data-input=handleAddress] button").click()
        self.wait_for("the other player's turn", lambda: self.text(f"{cards[2]} [data-output=currentPlayer]") != player)

    def test_a_requested_stream_replaces_the_least_recently_used_one(self):
        cards = self.open_all(self.machines[:3])
        self.wait_for("the last has no stream", lambda: self.situation(cards[2]) == "paused")
        self.switch_on()
        follow = self.find(f"{cards[2]} .console > button")
        self.assertEqual(follow.text, "Follow this one")
        follow.click()
        self.wait_for("it is live", lambda: self.situation(cards[2]) == "live")
        self.wait_for("the search is not", lambda: self.situations() == ["live", "paused"])
        self.assertEqual(self.open_streams(), 4)
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, f"{cards[2]} .console > button"), [])
        self.assertEqual(self.browser.switch_to.active_element, self.find(f"{cards[2]} .badge"))
        self.find(f"{cards[0]} > button").click()
        self.wait_for("the search follows again", lambda: self.situations() == ["live", "live"])
        self.assertEqual(self.open_streams(), 4)

    def test_a_resumed_stream_shows_missed_changes(self):
        cards = self.open_all(self.machines[:3])
        self.wait_for("the last has no stream", lambda: self.situation(cards[2]) == "paused")
        session = self.browser.execute_script("return new URL(window.streams[2].url).pathname.replace('/outputs', '')")
        self.find("#counter [data-input=isOn]").click()
        self.find("#search-text").send_keys("combine")
        self.wait_for("the search is done", lambda: self.text("#github-search .status") == "3 of 6 repositories")
        self.find(f"{cards[2]} .console > button").click()
        self.wait_for("the first console is paused", lambda: self.situation(cards[0]) == "paused")
        request = urllib.request.Request(f"{self.server.url}{session}/inputs/countUp", method="POST")
        urllib.request.urlopen(request, timeout=PATIENCE).close()
        self.assertEqual(self.text(f"{cards[0]} [data-output=count]"), "0")
        self.find(f"{cards[0]} .console > button").click()
        self.wait_for("the missed change", lambda: self.text(f"{cards[0]} [data-output=count]") == "1")

    def test_tabs_share_the_four_streams(self):
        first = self.browser.current_window_handle
        handles = [first]
        self.addCleanup(lambda: self.browser.switch_to.window(self.browser.window_handles[0]))
        for _ in range(2):
            self.browser.switch_to.new_window("tab")
            handles.append(self.browser.current_window_handle)
            self.browser.get(self.server.url)
            expected = ["live", "live"] if len(handles) == 2 else ["paused", "paused"]
            self.wait_for(f"the demos are {expected}", lambda: self.situations() == expected)
        self.switch_on()
        self.browser.switch_to.window(handles[1])
        self.browser.close()
        self.browser.switch_to.window(handles[2])
        self.wait_for("the third tab follows", lambda: self.situations() == ["live", "live"])
        self.browser.close()


class InsecureStreamTests(StreamTests):
    """In an insecure context, tabs cannot coordinate, so only the visible one has streams."""

    host = INSECURE_NAME

    def test_tabs_share_the_four_streams(self):
        self.assertFalse(self.browser.execute_script("return isSecureContext"))
        first = self.browser.current_window_handle
        streams = self.open_streams()
        self.browser.switch_to.new_window("tab")
        self.visit(f"http://{self.host}:{self.server.port}")
        self.browser.close()
        self.browser.switch_to.window(first)
        self.wait_for("both demos are live again", lambda: self.situations() == ["live", "live"])
        opened = self.browser.execute_script("return window.streams.length")
        self.assertEqual((streams, opened), (2, 4))


class MultiplexedStreamTests(PageCase):
    is_secure = True

    def test_the_number_of_streams_is_unlimited(self):
        cards = [self.open_console(machine) for machine in StreamTests.machines]
        self.wait_for("all consoles are live", lambda: [self.situation(card) for card in cards] == 4 * ["live"])
        self.assertEqual(self.open_streams(), 6)
        self.switch_on()


class SmallestMachineTests(unittest.TestCase):
    """The README's program, whose machine is named "counter" but is not the demo's counter."""

    def setUp(self):
        self.server = Server(binary=SMALLEST_MACHINE)
        self.server.start()
        self.addCleanup(self.server.stop)
        self.browser = make_browser()
        self.addCleanup(self.browser.quit)
        self.browser.get(self.server.url)
        self.wait_for("its card is shown", lambda: self.browser.find_elements(By.CSS_SELECTOR, ".machine"))

    find = PageCase.find
    text = PageCase.text
    wait_for = PageCase.wait_for
    situation = PageCase.situation
    open_console = PageCase.open_console

    def test_its_console_works_and_nothing_stays_disabled(self):
        self.assertEqual(self.text(".machine h3"), "counter")
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, "#counter"), [])
        card = self.open_console("counter")
        self.wait_for("its session is live", lambda: self.situation(card) == "live")
        self.assertEqual(self.text(f"{card} [data-output=count]"), "0")
        self.find(f"{card} [data-input=increment] button").click()
        self.wait_for("the number is 1", lambda: self.text(f"{card} [data-output=count]") == "1")
        for control in self.browser.find_elements(By.CSS_SELECTOR, "button, input"):
            self.assertTrue(control.is_enabled() or not control.is_displayed(), control.get_attribute("outerHTML"))
        self.browser.save_screenshot(str(SCREENSHOTS / "smallest-machine.png"))

    def test_the_skip_link_leads_to_a_visible_target(self):
        skip = self.find(".skip")
        self.assertEqual(skip.get_attribute("textContent"), "Skip to the machines")
        target = self.find(skip.get_dom_attribute("href"))
        self.assertTrue(target.is_displayed())
        skip.send_keys("\n")
        self.assertEqual(self.browser.switch_to.active_element, target)


if __name__ == "__main__":
    result = unittest.main(verbosity=2, exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(0 if result.testsRun and not failed else 1)
