"""The page of the README's program."""

import unittest

from selenium.webdriver.common.by import By

from page.browser import SCREENSHOTS, View, make_browser
from page.server import SMALLEST_MACHINE, Server


class SmallestMachineTests(View, unittest.TestCase):
    """The README's program, whose machine is named "counter" but is not the demo's counter."""

    def setUp(self):
        self.server = Server(binary=SMALLEST_MACHINE)
        self.server.start()
        self.addCleanup(self.server.stop)
        self.browser = make_browser()
        self.addCleanup(self.browser.quit)
        self.browser.get(self.server.url)
        self.wait_for("its card is shown", lambda: self.browser.find_elements(By.CSS_SELECTOR, ".machine"))

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
