"""The inspector, on a listener for operators."""

import http.client
import json
import subprocess
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page.browser import SCREENSHOTS, View, make_browser, measures_time
from page.server import PATIENCE, Server

# More turns than a session keeps by default, and the bytes that they need. A session that hibernates keeps none.
KEPT = ["--sessions.turnsPerSnapshot", "20000", "--sessions.bytesPerSnapshot", "64MiB", "--sessions.hibernateAfter", "0ms"]
MANY = 10_000

# Records what the button that plays says about itself.
WATCH_PLAY = """
const play = document.querySelector(".play");
window.pressed = [];
new MutationObserver(() => window.pressed.push(play.ariaPressed)).observe(play, { attributeFilter: ["aria-pressed"] });
"""

# Records the notices, which the page removes after some seconds.
WATCH_NOTICES = """
const notices = document.querySelector("#notices");
window.notices = [];
new MutationObserver(() => window.notices.push(notices.textContent)).observe(notices, { childList: true });
"""


# Takes the place of the clipboard, which a headless browser does not always permit.
WATCH_COPY = "navigator.clipboard.writeText = (text) => Promise.resolve(void (window.copied = text));"


# Answers replays as a build would that runs the second turn in another way.
DIVERGE = """
const { fetch } = window;
const result = { turns: 1, isWhole: true, divergence: { turn: 2, difference: "expected 1, got 2" } };
window.fetch = (target, ...rest) =>
  (String(target).includes("/replay") ? Promise.resolve(Response.json(result)) : fetch(target, ...rest));
"""


class OperatedServer(Server):
    """A server with a public listener and one for operators."""

    def listeners(self):
        public, admin = (f"http://127.0.0.1:{self.port_for(purpose)}" for purpose in ["http", "admin"])
        return ["--http.listeners", f"{public},admin+{admin}"]

    @property
    def admin(self):
        return f"http://127.0.0.1:{self.port_for('admin')}"

    def create(self, machine):
        status, session = self.request("POST", "/v1/sessions", {"machine": machine})
        assert status == 201, session
        return session["id"]

    def send(self, session, name, value=None):
        status, answer = self.request("POST", f"/v1/sessions/{session}/inputs/{name}", value)
        assert status == 200, answer
        return answer["version"]

    def follow(self, session):
        """Opens a stream, and returns it when it has begun."""
        request = urllib.request.Request(f"{self.url}/v1/sessions/{session}/outputs", headers={"Accept": "text/event-stream"})
        return urllib.request.urlopen(request, timeout=PATIENCE)


class InspectorCase(View, unittest.TestCase):
    flags = ()

    @classmethod
    def setUpClass(cls):
        SCREENSHOTS.mkdir(exist_ok=True)
        cls.server = OperatedServer(*cls.flags)
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)
        cls.downloads = Path(tempfile.mkdtemp())
        cls.browser = make_browser({"download.default_directory": str(cls.downloads)})
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        self.browser.set_window_size(1280, 1000)
        self.emulate()
        self.browser.get("about:blank")
        # Forgets what a test before has caused on purpose, such as requests to a server that was stopped.
        self.browser.get_log("browser")

    def emulate(self, scheme="light", forced="none"):
        features = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "forced-colors", "value": forced}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def narrow(self):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})

    def show(self, address="#/sessions"):
        self.browser.get(f"{self.server.admin}/{address}")
        self.wait_for("the page is live", lambda: self.data("#link", "state") == "live")

    def press(self, label):
        """Clicks on a button as soon as it is shown."""
        self.wait_for(f"the button {label} is pressed", lambda: self.has_pressed(label))

    def has_pressed(self, label):
        for button in self.browser.find_elements(By.CSS_SELECTOR, "button"):
            if button.text == label and button.is_displayed():
                button.click()
                return True
        return False

    def text(self, selector):
        """Returns the text of a node that the page may replace at any time; nothing if there is none."""
        return self.browser.execute_script(
            "return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def data(self, selector, name):
        """Returns a data attribute of a node that the page may replace at any time."""
        return self.browser.execute_script(
            "return document.querySelector(arguments[0])?.dataset[arguments[1]]", selector, name)

    def exists(self, selector):
        return bool(self.browser.find_elements(By.CSS_SELECTOR, selector))

    def shoot(self, name):
        self.browser.save_screenshot(str(SCREENSHOTS / f"inspector-{name}.png"))

    def used_counter(self, inputs=5):
        session = self.server.create("counter")
        self.server.send(session, "isOn", True)
        for _ in range(inputs):
            self.server.send(session, "increment")
        return session

    def show_session(self, session):
        self.show()
        self.find("input.search").send_keys(session + "\n")

    def position(self):
        return self.text(".position")

    def wait_for_position(self, text):
        self.wait_for(f"the position is {text}", lambda: text in self.position())

    def overflow(self):
        """Returns by how much the page is wider than the window."""
        return self.browser.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def errors(self):
        return [entry for entry in self.browser.get_log("browser")
                if entry["level"] == "SEVERE" and "status of" not in entry["message"]]


class InspectorTests(InspectorCase):
    def test_a_session_is_found_forked_changed_compared_exported_and_replayed(self):
        session = self.used_counter()
        self.show()
        search = self.find("input.search")
        search.send_keys(session + "\n")
        self.wait_for_position("turn 6 of 6 · version 6")
        self.assertNotIn(session, self.browser.current_url)
        self.find("#values").click()
        self.wait_for("the count is shown", lambda: self.exists("[data-value=count]") and self.text("[data-value=count]") == "5")
        for version in [5, 4, 3]:
            self.click("[data-step=back]")
            self.wait_for_position(f"version {version}")
        self.wait_for("the count is that of version 3", lambda: self.text("[data-value=count]") == "2")
        self.assertIn("1→2", self.text(".turn-panel .diff"))
        self.shoot("wide-light")
        original = self.browser.current_url.split("/")[-1]
        self.press("Fork from here")
        # Only a fork has a link to the comparison.
        self.wait_for("the fork is shown", lambda: self.exists("a.chip"))
        self.assertNotIn(original, self.browser.current_url.split("?")[0])
        self.wait_for_position("version 3")
        self.press("Send input")
        self.wait_for("the form is shown", lambda: self.exists("#input-name"))
        self.find("#input-name").send_keys("increment")
        self.click("dialog button[type=submit]")
        self.wait_for("the input has run", lambda: "Version 4: count changed." in self.text("dialog .outcome"))
        self.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        self.wait_for_position("version 4")
        self.click("a.chip")
        self.wait_for("the difference is shown", lambda: self.exists(".comparison .diff"))
        self.assertIn("5→3", self.text(".comparison"))
        self.shoot("comparison")
        self.show(f"#/sessions/{original.split('?')[0]}")
        self.wait_for_position("turn 6 of 6")
        self.press("Export")
        self.wait_for("the file is saved", lambda: list(self.downloads.glob("session-*.json")))
        exported = json.loads(list(self.downloads.glob("session-*.json"))[0].read_text())
        self.assertEqual(exported["machine"], "counter")
        self.press("Replay")
        self.wait_for("the replay has ended", lambda: self.exists(".verdict"))
        self.assertEqual(self.text(".verdict"), "No divergence")
        self.shoot("replay")
        self.assertEqual(self.errors(), [])

    def test_values_are_hidden_until_they_are_revealed(self):
        self.show_session(self.used_counter(1))
        self.wait_for("the values are masked", lambda: self.exists(".mask"))
        self.assertFalse(self.exists("[data-value], del, ins"))
        self.find("#values").click()
        self.wait_for("the values are shown", lambda: self.exists("[data-value=count]"))
        self.find("#values").click()
        self.wait_for("the values are masked again", lambda: self.exists(".mask") and not self.exists("[data-value]"))

    def test_the_keyboard_steps_plays_and_searches(self):
        session = self.used_counter(3)
        self.show()
        self.find("body").send_keys("/")
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("type"), "search")
        self.browser.switch_to.active_element.send_keys(session + "\n")
        self.wait_for_position("turn 4 of 4")
        self.find("body").send_keys(Keys.ARROW_LEFT, "k")
        self.wait_for_position("turn 2 of 4")
        listbox = self.find("[role=listbox]")
        listbox.send_keys(Keys.HOME)
        self.wait_for_position("turn 1 of 4")
        selected = listbox.get_attribute("aria-activedescendant")
        self.assertEqual(self.find(f"#{selected}").get_attribute("aria-selected"), "true")
        self.browser.execute_script(WATCH_PLAY)
        self.find("body").send_keys(" ")
        self.wait_for_position("turn 4 of 4")
        self.wait_for("it stops at the end", lambda: self.pressed()[-1:] == ["false"])
        self.assertEqual(self.pressed()[0], "true")

    def test_the_address_has_the_version_that_is_shown(self):
        session = self.used_counter(3)
        self.show()
        self.find("input.search").send_keys(session + "\n")
        self.wait_for_position("turn 4 of 4")
        self.find("body").send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
        self.wait_for("the address has the version", lambda: self.browser.current_url.endswith("?version=2"))
        self.browser.refresh()
        self.wait_for_position("turn 2 of 4 · version 2")
        self.browser.back()
        self.wait_for("the list", lambda: self.exists("a.row"))
        self.browser.forward()
        self.wait_for_position("turn 2 of 4")
        self.find("body").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.wait_for("the newest turn needs none", lambda: "version=" not in self.browser.current_url)

    def test_an_input_is_sent_from_a_form_without_json(self):
        session = self.server.create("tic-tac-toe")
        self.show()
        self.find("input.search").send_keys(session + "\n")
        self.press("Send input")
        self.wait_for("the form is shown", lambda: self.exists("dialog fieldset [type=number]"))
        self.find("dialog fieldset [type=number]").send_keys(Keys.CONTROL, "a", Keys.NULL, "4")
        self.shoot("form")
        self.click("dialog button[type=submit]")
        self.wait_for("the input has run", lambda: "Version 1:" in self.text("dialog .outcome"))
        self.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        self.wait_for_position("turn 1 of 1")

    def test_an_address_that_names_no_session_says_so(self):
        for name in ["%", "..", "%3Cimg%20src=x%20onerror=window.isHacked=true%3E"]:
            self.show(f"#/sessions/{name}")
            self.wait_for("there is none", lambda: self.exists(".state"))
            self.assertFalse(self.browser.execute_script("return 'isHacked' in window"))
            self.browser.get("about:blank")

    def pressed(self):
        return self.browser.execute_script("return window.pressed")

    def rows(self):
        return len(self.browser.find_elements(By.CSS_SELECTOR, "a.row"))

    def test_the_list_is_live_and_has_empty_and_error_states(self):
        self.used_counter(1)
        self.show("#/sessions?machine=stopwatch-that-does-not-exist")
        self.wait_for("no session matches", lambda: "No session matches" in self.text("main"))
        self.shoot("empty")
        self.show()
        self.wait_for("all sessions are listed", lambda: self.rows() > 0)
        before = self.rows()
        self.used_counter(1)
        self.wait_for("the new session is listed", lambda: self.rows() == before + 1)
        self.show("#/sessions/00000000000000000000000000000000")
        self.wait_for("it is missing", lambda: "The session does not exist" in self.text("main"))

    def test_a_turn_shows_its_duration_and_the_streams_that_got_it(self):
        session = self.used_counter(1)
        self.addCleanup(self.server.follow(session).close)
        self.server.send(session, "increment")
        self.show_session(session)
        self.wait_for_position("turn 3 of 3")
        self.assertRegex(self.text(".measures"), r"^took [\d.]+ (µs|ms|s), sent to 1 stream$")
        self.wait_for("the stream is listed", lambda: "without credentials is at version 3" in self.text(".streams-panel"))
        self.assertRegex(self.text(".virtual-row[aria-selected=true] .turn-version"), r"^[\d.]+ (µs|ms|s) · v3$")
        self.assertEqual(self.text(".virtual-row[aria-selected=true] .turn-streams"), "1 stream")
        self.click("[data-step=back]")
        self.wait_for("nobody got the turn before", lambda: "sent to 0 streams" in self.text(".measures"))
        self.shoot("streams")

    def test_a_session_that_sleeps_keeps_its_turns_and_sleeps_on(self):
        session = self.used_counter(3)
        self.show_session(session)
        self.wait_for_position("turn 4 of 4")
        self.press("Hibernate")
        self.wait_for("it sleeps", lambda: self.data(".session-title .badge", "state") == "dormant")
        self.wait_for("the values of its version are there", lambda: self.exists(".mask"))
        self.wait_for("nothing more is stored of the turn", lambda: "stored" not in self.text(".turn-panel"))
        self.wait_for_position("turn 4 of 4 · version 4")
        self.assertIn("increment", self.text(".virtual-row[aria-selected=true]"))
        self.assertIn("took", self.text(".measures"))
        self.click("[data-step=back]")
        self.wait_for("the version before is not stored", lambda: "Not stored any more" in self.text(".values-panel"))
        self.assertFalse(any(button.text == "Fork from here" and button.is_displayed() for button in self.browser.find_elements(By.CSS_SELECTOR, "button")))
        self.shoot("asleep")
        self.click("[data-step=first]")
        self.wait_for_position("turn 1 of 4 · version 1")
        self.assertTrue(self.find("[data-step=back]").get_property("disabled"))
        self.server.stop()
        self.wait_for("the page says that the server is gone", lambda: self.data("#link", "state") == "lost")
        self.shoot("lost")
        self.server.start(keeps_sessions=True)
        self.wait_for("the page is live again", lambda: self.data("#link", "state") == "live")
        self.browser.refresh()
        self.wait_for_position("turn 1 of 4 · version 1")
        self.wait_for("another process ran the turn", lambda: "are not known" in self.text(".measures"))
        self.assertEqual(self.data(".session-title .badge", "state"), "dormant")

    def test_a_step_that_is_copied_as_curl_runs_again(self):
        session = self.used_counter(2)
        self.show_session(session)
        self.wait_for_position("turn 3 of 3")
        self.browser.execute_script(WATCH_COPY)
        self.press("Copy as curl")
        self.wait_for("the command is copied", lambda: self.browser.execute_script("return window.copied"))
        command = self.browser.execute_script("return window.copied")
        answer = json.loads(subprocess.run(["bash", "-c", command], capture_output=True, check=True, text=True).stdout)
        self.assertEqual(answer, {"version": 4, "changed": ["count"]})
        self.wait_for_position("turn 4 of 4")

    def test_a_replay_that_diverges_leads_to_the_turn(self):
        session = self.used_counter(3)
        self.show_session(session)
        self.wait_for_position("turn 4 of 4")
        self.browser.execute_script(DIVERGE)
        self.press("Replay")
        self.wait_for("the replay has ended", lambda: self.text(".verdict") == "Diverges at turn 2")
        self.assertIn("expected 1, got 2", self.text("dialog"))
        self.shoot("divergence")
        self.press("Show the turn")
        self.wait_for_position("turn 2 of 4 · version 2")

    def test_two_versions_of_a_session_are_compared(self):
        session = self.used_counter(4)
        self.show_session(session)
        self.wait_for_position("turn 5 of 5")
        self.find("#values").click()
        self.find("body").send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
        self.wait_for_position("turn 3 of 5")
        self.find("body").send_keys("c")
        self.wait_for("the difference is shown", lambda: self.exists(".comparison .diff"))
        self.assertIn("2→4", self.text(".comparison"))

    def test_a_slow_server_shows_that_the_session_is_loaded(self):
        session = self.used_counter(1)
        self.show()
        self.wait_for("the session is listed", lambda: self.exists("a.row"))
        self.server.freeze()
        self.addCleanup(self.server.thaw)
        self.click("a.row")
        self.wait_for("the session is loaded", lambda: self.exists(".session-title .skeleton"))
        self.shoot("loading")
        self.server.thaw()
        self.wait_for("the session is there", lambda: "turn" in self.position())
        self.server.send(session, "increment")

    def test_an_ended_session_says_so(self):
        session = self.used_counter(1)
        self.show()
        self.find("input.search").send_keys(session + "\n")
        self.wait_for_position("turn 2 of 2")
        self.press("End")
        self.press("End the session")
        self.wait_for("it has ended", lambda: self.data(".session-title .badge", "state") == "ended")
        status, _ = self.server.request("GET", f"/v1/sessions/{session}")
        self.assertEqual(status, 410)

    def test_the_server_is_shown_and_the_level_of_the_log_changes(self):
        self.show("#/server")
        self.wait_for("the configuration is shown", lambda: self.exists(".keys tbody tr"))
        self.wait_for("the loops are shown", lambda: self.exists("table tbody th"))
        self.wait_for("the levels are shown", lambda: self.exists("#level-sessions"))
        self.browser.execute_script(WATCH_NOTICES)
        self.find("#level-sessions").send_keys("debug")
        self.wait_for("the level has changed", lambda: any(
            "another level" in text for text in self.browser.execute_script("return window.notices")))
        self.shoot("server")
        self.assertEqual(self.errors(), [])

    def test_small_screens_dark_mode_and_forced_colours(self):
        session = self.used_counter(12)
        for width in ["wide", "narrow"]:
            if width == "narrow":
                self.narrow()
            for scheme, forced in [("light", "none"), ("dark", "none"), ("light", "active")]:
                self.emulate(scheme, forced)
                name = f"{width}-{'forced' if forced == 'active' else scheme}"
                self.show()
                self.wait_for("sessions are listed", lambda: self.exists("a.row"))
                self.assertLessEqual(self.overflow(), 0, name)
                self.shoot(f"list-{name}")
                self.find("input.search").send_keys(session + "\n")
                self.wait_for_position("turn 13 of 13")
                self.wait_for("values are there", lambda: self.exists(".mask, [data-value]"))
                self.assertLessEqual(self.overflow(), 0, name)
                self.shoot(f"session-{name}")
                stored = self.browser.current_url.split("/")[-1].split("?")[0]
                self.show(f"#/compare?left={stored}&leftVersion=2&right={stored}")
                self.wait_for("the difference is there", lambda: self.exists(".comparison .panel"))
                self.assertLessEqual(self.overflow(), 0, name)
                self.shoot(f"compare-{name}")
                self.show("#/server")
                self.wait_for("the configuration is there", lambda: self.exists(".keys tbody tr"))
                self.assertLessEqual(self.overflow(), 0, name)
                self.shoot(f"server-{name}")


class LongTimelineTests(InspectorCase):
    flags = KEPT

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.session = cls.server.create("counter")
        cls.server.send(cls.session, "isOn", True)
        # On one connection: a new one for each input would take most of the time.
        connection = http.client.HTTPConnection("127.0.0.1", cls.server.port)
        cls.addClassCleanup(connection.close)
        for _ in range(MANY):
            connection.request("POST", f"/v1/sessions/{cls.session}/inputs/increment")
            answer = connection.getresponse().read()
            assert answer.startswith(b'{"version"'), answer

    def show_turns(self):
        self.show_session(self.session)
        self.wait_for_position(f"turn {MANY + 1} of {MANY + 1}")

    def scroll(self, top):
        """Scrolls to a place, and returns when the page has drawn it: the height of the timeline."""
        return self.browser.execute_async_script("""
            const [top, done] = arguments;
            const list = document.querySelector(".virtual");
            list.scrollTop = top;
            // The list draws its rows in the first frame, and the second one follows.
            requestAnimationFrame(() => requestAnimationFrame(() => done(list.scrollHeight)));
        """, top)

    def test_only_the_visible_of_ten_thousand_turns_have_rows(self):
        self.show_turns()
        height = self.scroll(0)
        for top in [height // 3, height // 2, height]:
            self.scroll(top)
            self.assertLess(len(self.browser.find_elements(By.CSS_SELECTOR, ".virtual-row")), 120)
        self.shoot("long")

    def test_a_long_list_of_sessions_is_shown_in_parts(self):
        for _ in range(120):
            self.server.create("counter")
        self.show()
        rows = "return document.querySelectorAll('a.row').length"
        self.wait_for("the first part is shown", lambda: self.browser.execute_script(rows) == 100)
        self.assertEqual(self.text(".count-line"), "the first 100 sessions")
        self.shoot("full")
        self.press("Show more")
        self.wait_for("the rest is shown", lambda: self.browser.execute_script(rows) >= 121)
        self.assertNotIn("first", self.text(".count-line"))

    @measures_time
    def test_ten_thousand_turns_scroll_without_a_frame_over_50_ms(self):
        self.show_turns()
        self.find("#values").click()
        self.wait_for("all values are there", lambda: self.exists(".turn-changes ins") and self.exists("progress[hidden]"))
        # In the time of the processor that the page's thread has used, because other processes may delay a frame.
        self.browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        height, used, times = self.scroll(0), self.used_time(), []
        # Each frame shows other rows than the one before.
        for top in range(2400, height, 2400):
            self.scroll(top)
            now = self.used_time()
            times.append(1000 * (now - used))
            used = now
        print(f"slowest of {len(times)} frames: {max(times):.0f} ms, median: {sorted(times)[len(times) // 2]:.0f} ms", flush=True)
        self.assertLessEqual(max(times), 50)

    def used_time(self):
        metrics = self.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    @measures_time
    def test_a_full_timeline_opens_quickly(self):
        session = self.server.create("counter")
        self.server.send(session, "isOn", True)
        for _ in range(300):
            self.server.send(session, "increment")
        self.show()
        self.find("input.search").send_keys(session)
        begun = time.monotonic()
        self.find("input.search").send_keys("\n")
        self.wait_for_position("turn 301 of 301")
        self.assertLess(time.monotonic() - begun, 5)
