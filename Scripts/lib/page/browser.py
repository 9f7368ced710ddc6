"""The browser, and what the tests of all pages share."""

import os
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from page.server import PATIENCE, SearchService, Server

SCREENSHOTS = Path(__file__).resolve().parents[3] / "screenshots"
# A host other than localhost, which makes a page without TLS an insecure context with fewer browser features.
INSECURE_NAME = "granary.test"
ALLOWED_HOSTS = f"127.0.0.1,localhost,{INSECURE_NAME}"
# For tests whose verdict depends on the speed of the machine. Scripts/verify runs them, the gate does not.
measures_time = unittest.skipUnless(os.environ.get("MEASURE_TIME"), "it depends on time, and MEASURE_TIME is not set")

# Stops the clock of a page: what it delays from now on waits until `runTimers` is called.
STOP_CLOCK = """
const waiting = new Map();
const { clearTimeout } = window;
const now = performance.now();
performance.now = () => now;
// Other numbers than those of the browser, whose timers can still be stopped.
let last = 1e9;
window.setTimeout = (callback) => {
  waiting.set((last += 1), callback);
  return last;
};
window.clearTimeout = (timer) => waiting.delete(timer) || clearTimeout.call(window, timer);
window.runTimers = () => {
  const due = [...waiting.values()];
  waiting.clear();
  for (const callback of due) callback();
};
"""


def make_browser(preferences=None):
    """Starts a browser with a new profile, for which all names that end with .test are this machine."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--disable-dev-shm-usage", "--window-size=1280,1000", "--hide-scrollbars",
                     "--ignore-certificate-errors", "--host-resolver-rules=MAP *.test 127.0.0.1"]:
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.add_experimental_option("prefs", preferences or {})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    browser.set_script_timeout(PATIENCE)
    return browser


class View:
    """What a test sees of a page in `self.browser`."""

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def situation(self, card):
        return self.find(f"{card} .badge").get_attribute("data-situation")

    def situations(self, cards="#counter, #github-search"):
        return self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])]"
            ".map((card) => card.querySelector('.badge').dataset.situation)", cards)

    def wait_for(self, what, condition):
        # The page may replace a node while the condition looks at it.
        wait = WebDriverWait(self.browser, PATIENCE, 0.05, [StaleElementReferenceException])
        wait.until(lambda _: condition(), f"waited for: {what}")

    def click(self, selector):
        """Clicks on a node as soon as it exists; the page may replace it at any time."""
        self.wait_for(f"{selector} is clicked", lambda: self.find(selector).click() is None)

    def stop_clock(self):
        """Stops the clock of the page, so that nothing is late, however slow the machine is."""
        self.browser.execute_script(STOP_CLOCK)

    def run_timers(self):
        """Lets the time pass for everything that waits for the stopped clock."""
        self.browser.execute_script("runTimers()")

    def wait_until_live(self):
        self.wait_for("both demos are live", lambda: self.situations() == ["live", "live"])

    def visit(self, url):
        self.browser.get(url)
        self.wait_until_live()

    def wait_for_number(self, number, selector="#counter [data-output=count]"):
        self.wait_for(f"the number is {number}", lambda: self.text(selector) == str(number))

    def open_console(self, machine):
        """Opens the console of a machine and returns the selector of its card."""
        card = f"[data-machine={machine}]"
        self.find(f"{card} > button").click()
        return card

    def switch_on(self):
        self.find("#counter [data-input=isOn]").click()
        self.wait_for("the button is enabled", lambda: self.find("#counter [data-input=increment]").is_enabled())

    def count(self, *numbers):
        for number in numbers:
            self.find("#counter [data-input=increment]").click()
            self.wait_for_number(number)

    def session(self, machine="counter"):
        """Returns the id of the session of a demo."""
        return self.browser.execute_script(
            "return sessionStorage.getItem(`granary-session-${arguments[0]}-main`)", machine)

    def cookie(self):
        """Returns the fields with which the browser identifies itself."""
        pairs = [f"{cookie['name']}={cookie['value']}" for cookie in self.browser.get_cookies()]
        return {"Cookie": "; ".join(pairs), "Sec_Fetch_Site": "none"}

    def open_tab(self, url):
        self.browser.switch_to.new_window("tab")
        self.browser.get(url)
        return self.browser.current_window_handle

    def crash(self, tab):
        self.browser.switch_to.window(tab)
        try:
            self.browser.execute_cdp_cmd("Page.crash", {})
        except WebDriverException:
            pass  # The driver reports that the tab has crashed.

    def workers(self, address):
        """Returns the identifiers of the shared workers of an origin."""
        targets = self.browser.execute_cdp_cmd("Target.getTargets", {"filter": [{"type": "shared_worker"}]})
        return {target["targetId"] for target in targets["targetInfos"] if target["url"].startswith(f"{address}/")}

    def close_other_tabs(self, kept):
        for handle in self.browser.window_handles:
            if handle == kept:
                continue
            try:
                self.browser.switch_to.window(handle)
                self.browser.close()
            except WebDriverException:
                pass  # The tab has crashed.
        self.browser.switch_to.window(kept)


class PageCase(View, unittest.TestCase):
    """A browser and a server for the tests of one class. Each test is the first visit of a browser."""

    is_secure = False
    host = "127.0.0.1"
    flags = ()

    @classmethod
    def setUpClass(cls):
        SCREENSHOTS.mkdir(exist_ok=True)
        cls.search = SearchService()
        cls.server = Server(
            "--github.baseURL", f"http://127.0.0.1:{cls.search.server_address[1]}",
            "--http.allowedHosts", ALLOWED_HOSTS, *cls.flags, is_secure=cls.is_secure)
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)
        cls.browser = make_browser()
        cls.addClassCleanup(cls.browser.quit)

    @property
    def address(self):
        return f"{self.server.scheme}://{self.host}:{self.server.port}"

    def setUp(self):
        self.browser.set_window_size(1280, 1000)
        self.addCleanup(self.close_other_tabs, self.browser.current_window_handle)
        self.forget()
        self.visit(self.address)

    def forget(self):
        """Makes the browser forget the sessions of the test before."""
        self.browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
        if self.browser.current_url.startswith("http"):
            self.browser.execute_script("sessionStorage.clear()")
