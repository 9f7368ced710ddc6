"""The page and its cards."""

import json
import re
import signal
import time
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page.browser import SCREENSHOTS, PageCase, measures_time
from page.server import Relay

TIC_TAC_TOE_MOVE = '{"id": 4}'
# Does something if it becomes part of the page as markup.
HOSTILE = "<img src=x onerror=window.isHacked=true>"
# Where Chromium logs what it thinks of the speed of the page and the machine.
ABOUT_SPEED = {"intervention", "recommendation", "violation"}

# Records the content of the counter's card after each change.
WATCH_COUNTER = """
const card = document.querySelector("#counter");
window.seen = [];
new MutationObserver(() => {
  const text = (selector) => card.querySelector(selector).textContent;
  const badge = card.querySelector(".badge");
  window.seen.push([badge.dataset.situation, text("[data-output=count]"), text(".news"), badge.textContent]);
}).observe(card, { subtree: true, childList: true, characterData: true, attributes: true });
"""

# What a page of the server does to use the client: no file of it is downloaded before.
USE_CLIENT = """
const done = arguments[0];
(async () => {
  const { connect } = await import("/granary.js");
  const counter = await connect("unio-counter");
  await import("/client/granary-machine.js");
  const element = document.createElement("granary-machine");
  element.setAttribute("name", "unio-counter");
  element.innerHTML = '<output data-output="count"></output>';
  const shown = new Promise((resolve) => element.addEventListener("change", resolve));
  document.body.append(element);
  await shown;
  done([await counter.send("countUp"), element.textContent]);
})().catch((error) => done(String(error)));
"""


class PageTests(PageCase):
    def test_a_page_of_the_server_imports_the_client_from_it(self):
        changes, text = self.browser.execute_async_script(USE_CLIENT)
        self.assertEqual((changes["count"], text), (1, "0"))

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
        self.count(1, 2, 3)
        self.find("#counter [data-input=decrement]").click()
        self.wait_for("the number is 2", lambda: self.text("#counter [data-output=count]") == "2")

    def test_the_keyboard_reaches_the_counter(self):
        self.switch_on()
        self.find("#counter [data-input=increment]").send_keys("\n")
        self.wait_for("the number is 1", lambda: self.text("#counter [data-output=count]") == "1")

    def search_for(self, text):
        self.find("#search-text").send_keys(text)
        # On a slow machine, the beginning of the text has results, too.
        self.wait_for("its repositories", lambda: f"owner1/{text}" in self.text("#github-search .results"))
        self.wait_for("three repositories",
                      lambda: self.text("#github-search [data-output=status]") == "3 of 6 repositories")

    def test_a_search_shows_its_results(self):
        self.search_for("combine")
        self.assertEqual(self.search.queries[-1], "combine")
        self.browser.save_screenshot(str(SCREENSHOTS / "desktop.png"))
        self.find("#github-search [data-input=nextPage]").click()
        self.wait_for("all six", lambda: self.text("#github-search [data-output=status]") == "6 repositories")
        self.assertIn("owner4/combine", self.text("#github-search .results"))
        self.assertFalse(self.find("#github-search [data-input=nextPage]").is_displayed())

    # GitHubSearchViewModelTests proves it in virtual time.
    @measures_time
    def test_the_machine_debounces_keystrokes(self):
        self.search.queries.clear()
        self.search_for("debounced")
        self.assertLess(len(self.search.queries), len("debounced"))

    def test_hostile_text_is_shown_as_text(self):
        self.search_for(HOSTILE)
        self.assertIn(f"All about {HOSTILE}", self.text("#github-search .results"))
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, "img[src=x]"), [])
        self.assertFalse(self.browser.execute_script("return 'isHacked' in window"))

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

    def assert_that_the_number_is_two(self):
        self.wait_until_live()
        self.assertEqual(self.text("#counter [data-output=count]"), "2")
        self.assertTrue(self.find("#counter [data-input=increment]").is_enabled())
        self.assertEqual(self.text("#counter .news"), "")

    def test_the_counter_keeps_its_number_across_a_restart_of_the_server(self):
        self.switch_on()
        self.count(1, 2)
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
        self.search_for("combine")
        self.browser.refresh()
        self.wait_for("the results", lambda: self.text("#github-search [data-output=status]") == "3 of 6 repositories")
        self.assertEqual(self.find("#search-text").get_attribute("value"), "combine")

    def seen(self):
        return self.browser.execute_script("return window.seen")

    def test_the_page_reconnects_to_a_restarted_server(self):
        self.switch_on()
        self.count(1)
        self.server.stop(signal.SIGKILL)
        self.addCleanup(lambda: self.server.process.poll() is None or self.server.start())
        self.wait_for("the page shows the lost connection", lambda: self.situations() == ["waiting", "waiting"])
        self.browser.execute_script(WATCH_COUNTER)
        self.find("#counter [data-input=increment]").click()
        self.wait_for("the click failed", lambda: "cannot be reached" in self.text("#counter .note.is-error"))
        self.wait_for("seconds are counted", lambda: any(
            re.search(r"reconnecting\s+in \d+ s", badge) for _, _, _, badge in self.seen()))
        self.server.start()
        self.wait_until_live()
        news = "The server no longer has the session; this is a new session."
        self.assertEqual(self.text("#counter .news"), news)
        self.assertEqual(self.find("#counter .news").get_attribute("role"), "status")
        self.browser.save_screenshot(str(SCREENSHOTS / "restarted.png"))
        seen = self.seen()
        self.assertNotIn("failed", [situation for situation, _, _, _ in seen])
        self.assertEqual({text for _, count, text, _ in seen if count == "0"}, {news})
        self.assertEqual([row for row in seen if row[0] == "live" and row[1] == "1"], [])
        self.assertNotIn("Failed to fetch", self.find("body").text)
        self.switch_on()
        self.assertEqual(self.text("#counter .news"), "")
        self.find("#counter [data-input=increment]").click()
        self.wait_for("the number is 1", lambda: self.text("#counter [data-output=count]") == "1")

    def click_while_the_server_is_frozen(self):
        """Returns the button, and the seconds until it waits."""
        self.switch_on()
        self.assertEqual(self.find("#counter .note").text, "")
        self.server.freeze()
        self.addCleanup(self.server.thaw)
        button = self.find("#counter [data-input=increment]")
        button.click()
        clicked = time.monotonic()
        self.wait_for("the button waits", lambda: button.get_attribute("data-waiting") is not None)
        return button, time.monotonic() - clicked

    @measures_time
    def test_a_pending_request_is_shown_soon(self):
        self.assertLess(self.click_while_the_server_is_frozen()[1], 5)

    def test_a_pending_request_is_shown_at_its_control(self):
        button, _ = self.click_while_the_server_is_frozen()
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
        relay = Relay(self.server.port)
        self.addCleanup(relay.close)
        relay.is_silent = True
        self.browser.get(relay.url)
        self.wait_for("the counter waits", lambda: self.text("#counter .badge") == "waiting for the server")
        self.assertEqual(self.situation("#counter"), "waiting")

    def test_a_silent_stream_is_not_live(self):
        relay = Relay(self.server.port)
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
        # The outputs rest only when the test says so: all changes come before they have been unchanged for a second.
        self.stop_clock()
        card = self.open_console("unio-counter")
        outputs = self.find(f"{card} .console-outputs")
        self.assertEqual(outputs.get_attribute("aria-live"), "polite")
        self.wait_for("its session is live", lambda: self.situation(card) == "live")
        self.run_timers()
        button = self.find(f"{card} [data-input=countUp] button")
        self.browser.execute_script("""
          window.busy = [];
          new MutationObserver(() => window.busy.push(arguments[0].ariaBusy))
            .observe(arguments[0], { subtree: true, childList: true, characterData: true, attributes: true });
        """, outputs)
        self.browser.execute_script("for (let count = 0; count < 20; count += 1) arguments[0].click()", button)
        self.wait_for("the number is 20", lambda: self.text(f"{card} [data-output=count]") == "20")
        self.run_timers()
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
        page = self.browser.current_window_handle
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
            self.close_other_tabs(page)

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
        self.wait_until_live()
        entries = [entry for entry in self.browser.get_log("browser") if entry["source"] not in ABOUT_SPEED]
        self.assertEqual([entry["message"] for entry in entries], [])

    def test_the_dark_scheme_has_dark_colours(self):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"features": []})
        colour = self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        self.assertLess(sum(int(part) for part in colour[4:-1].split(",")), 150)
        self.browser.save_screenshot(str(SCREENSHOTS / "dark.png"))
