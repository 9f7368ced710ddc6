"""The stream that all tabs share. Over HTTP/1.1, a browser opens six connections to a server."""

from page.browser import INSECURE_NAME, PageCase, measures_time
from page.server import Relay

# Records the situations of a card.
WATCH_BADGE = """
const badge = document.querySelector(arguments[0]).querySelector(".badge");
window.situations = [];
new MutationObserver(() => window.situations.push(badge.dataset.situation)).observe(badge, { attributes: true });
"""

# Keeps the worker busy when the page stops following its sessions.
KEEP_WORKER_BUSY = """
const { postMessage } = MessagePort.prototype;
MessagePort.prototype.postMessage = function (message, ...others) {
  for (let count = 0; message.type === "stop" && count < 20_000; count += 1) postMessage.call(this, { type: "none" });
  postMessage.call(this, message, ...others);
};
"""

COUNTERS = ["unio-counter", "composable-counter", "counter-publishers"]
# The number of demos on the page, each with a session of the browser.
DEMOS = 4


class RelayedCase(PageCase):
    """The page behind a relay that knows its streams."""

    def setUp(self):
        self.relay = Relay(self.server.port)
        self.addCleanup(self.relay.close)
        super().setUp()

    def wait_for_one_stream(self, relay=None):
        # When the stream connects again, the relay may notice the end of the previous connection a little later.
        self.wait_for("there is one stream", lambda: len((relay or self.relay).streams) == 1)


class StreamTests(RelayedCase):
    @property
    def address(self):
        return self.relay.url

    def wait_until_consoles_are_live(self, cards):
        self.wait_for("all consoles are live", lambda: {self.situation(card) for card in cards} == {"live"})

    def wait_for_sessions(self, expected):
        self.wait_for("the stream follows the expected sessions", lambda: self.relay.sessions() == expected)

    def test_all_consoles_share_one_stream(self):
        machines = self.browser.execute_script(
            "return [...document.querySelectorAll('[data-machine]')].map((card) => card.dataset.machine)")
        cards = []
        for _ in range(2):
            cards = [self.open_console(machine) for machine in machines]
            self.wait_until_consoles_are_live(cards)
            self.open_tab(self.address)
            self.wait_until_live()
        self.assertGreaterEqual(2 * len(cards), 20)
        self.wait_for_one_stream()
        self.switch_on()
        self.count(1)

    # Loads the machine with twelve renderers; three tabs need more than the six connections of a browser, too.
    @measures_time
    def test_twelve_tabs_with_three_sessions_each_are_live(self):
        self.check_that_tabs_are_live(12)

    def test_three_tabs_with_three_sessions_each_are_live(self):
        self.check_that_tabs_are_live(3)

    def check_that_tabs_are_live(self, number_of_tabs):
        tabs = [self.browser.current_window_handle]
        tabs += [self.open_tab(self.address) for _ in range(number_of_tabs - 1)]
        for tab in tabs:
            self.browser.switch_to.window(tab)
            self.wait_until_live()
            self.wait_until_consoles_are_live([self.open_console(machine) for machine in COUNTERS])
        self.wait_for_one_stream()
        # Besides the demos, which are the same in all tabs.
        self.wait_for("all sessions are followed", lambda: len(self.relay.sessions()) == 3 * number_of_tabs + DEMOS)
        card = "[data-machine=unio-counter]"
        for number, tab in enumerate(tabs):
            self.browser.switch_to.window(tab)
            for count in range(number % 3 + 1):
                self.find(f"{card} [data-input=countUp] button").click()
                self.wait_for_number(count + 1, f"{card} [data-output=count]")
        for number, tab in enumerate(tabs):
            self.browser.switch_to.window(tab)
            self.assertEqual(self.text(f"{card} [data-output=count]"), str(number % 3 + 1))
            self.wait_until_consoles_are_live([f"[data-machine={machine}]" for machine in COUNTERS])

    def test_another_console_does_not_disturb_the_others(self):
        card = self.open_console("unio-counter")
        self.wait_until_consoles_are_live([card])
        # Otherwise the stream connects again for a demo that joins it later.
        self.wait_for("its session and the demos are followed", lambda: len(self.relay.sessions()) == DEMOS + 1)
        self.find(f"{card} [data-input=countUp] button").click()
        self.wait_for_number(1, f"{card} [data-output=count]")
        # With its clock stopped, the page does not show a connection as late that takes longer than a second.
        self.stop_clock()
        self.browser.execute_script(WATCH_BADGE, card)
        other = self.open_console("composable-counter")
        self.wait_until_consoles_are_live([other])
        self.find(f"{card} [data-input=countUp] button").click()
        self.wait_for_number(2, f"{card} [data-output=count]")
        self.assertLessEqual(set(self.browser.execute_script("return window.situations")), {"live"})
        self.find(f"{other} > button").click()
        self.wait_for("its session is not followed", lambda: len(self.relay.sessions()) == DEMOS + 1)

    def test_sessions_of_closed_tabs_are_released(self):
        first = self.browser.current_window_handle
        # The others may join the stream after the two that are live.
        self.wait_for("the demos are followed", lambda: len(self.relay.sessions()) == DEMOS)
        own = self.relay.sessions()
        for says_so in [True, False]:
            self.open_tab(self.address)
            self.wait_until_live()
            self.wait_until_consoles_are_live([self.open_console("unio-counter")])
            self.wait_for("its session is followed", lambda: len(self.relay.sessions()) == DEMOS + 1)
            if not says_so:
                # Like a tab that crashes.
                self.browser.execute_script("MessagePort.prototype.postMessage = () => {}")
            self.browser.close()
            self.browser.switch_to.window(first)
            self.wait_for_sessions(own)
        self.switch_on()
        self.count(1)

    def test_a_tab_continues_when_the_one_that_has_started_the_worker_crashes(self):
        self.switch_on()
        self.count(1)
        # The worker of another origin, which the first one of these tabs starts.
        relay = Relay(self.server.port)
        self.addCleanup(relay.close)
        first = self.open_tab(relay.url)
        self.wait_until_live()
        second = self.open_tab(relay.url)
        self.wait_until_live()
        workers = self.workers(relay.url)
        self.assertEqual(len(workers), 1)
        self.crash(first)
        self.browser.switch_to.window(second)
        self.wait_for("another worker", lambda: self.workers(relay.url) - workers)
        self.count(2, 3)
        self.wait_until_live()
        self.wait_for_one_stream(relay)

    def test_a_page_that_is_shown_again_continues(self):
        self.switch_on()
        for number in range(1, 4):
            self.leave_and_return()
            self.count(number)

    def test_a_page_that_leaves_a_busy_worker_releases_its_sessions(self):
        self.switch_on()
        self.browser.execute_script(KEEP_WORKER_BUSY)
        self.leave_and_return()
        self.count(1)

    def leave_and_return(self):
        """Leaves the only page of the browser until no session is followed, and shows it again from the browser's cache."""
        self.browser.execute_script("window.isKept = true")
        self.browser.get("about:blank")
        self.wait_for("no session is followed", lambda: not self.relay.streams)
        self.browser.back()
        self.wait_until_live()
        self.assertTrue(self.browser.execute_script("return window.isKept"))

    def test_tabs_share_a_stream_without_shared_workers(self):
        script = {"source": "delete window.SharedWorker;"}
        added = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
        self.addCleanup(
            self.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", added)
        self.browser.refresh()
        self.wait_until_live()
        self.open_console("unio-counter")
        self.wait_until_consoles_are_live(["[data-machine=unio-counter]"])
        self.wait_for_one_stream()
        self.switch_on()
        self.count(1)
        # The script is removed from the first tab.
        self.addCleanup(self.close_other_tabs, self.browser.current_window_handle)
        self.browser.switch_to.new_window("tab")
        self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
        self.visit(self.address)
        self.wait_for_number(1)
        self.count(2)
        self.wait_for_one_stream()

    def test_a_browser_that_cannot_load_the_worker_has_a_stream_in_a_tab(self):
        script = {"source": """
          window.SharedWorker = class extends SharedWorker {
            constructor(path, options) { super("/none.js", options); }
          };
        """}
        added = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
        self.addCleanup(self.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", added)
        self.browser.refresh()
        self.wait_until_live()
        self.switch_on()
        self.count(1)


class InsecureStreamTests(RelayedCase):
    """In an insecure context, browsers have fewer features."""

    @property
    def address(self):
        return f"http://{INSECURE_NAME}:{self.relay.port}"

    def test_tabs_share_the_stream(self):
        self.assertFalse(self.browser.execute_script("return isSecureContext"))
        self.switch_on()
        self.count(1)
        self.open_tab(self.address)
        self.wait_until_live()
        self.count(2)
        self.wait_for_one_stream()

    def test_a_tab_continues_when_the_worker_does_not_report_a_change(self):
        self.switch_on()
        relay = Relay(self.server.port)
        self.addCleanup(relay.close)
        address = f"http://{INSECURE_NAME}:{relay.port}"
        first = self.open_tab(address)
        self.wait_until_live()
        second = self.open_tab(address)
        self.wait_until_live()
        workers = self.workers(address)
        self.assertEqual(len(workers), 1)
        self.crash(first)
        self.browser.switch_to.window(second)
        self.count(1, 2)
        self.wait_until_live()
        self.assertTrue(self.workers(address).isdisjoint(workers))
        self.wait_for_one_stream(relay)


class MultiplexedStreamTests(PageCase):
    is_secure = True

    def test_consoles_are_live(self):
        cards = [self.open_console(machine) for machine in COUNTERS]
        self.wait_for("all consoles are live", lambda: [self.situation(card) for card in cards] == 3 * ["live"])
        protocol = self.browser.execute_script("return performance.getEntriesByType('navigation')[0].nextHopProtocol")
        self.assertEqual(protocol, "h2")
        self.switch_on()
        self.count(1)
