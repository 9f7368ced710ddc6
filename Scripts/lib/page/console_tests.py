"""The list of machines and their consoles: search, forms, the log, what is copied, and the address."""

import json
import subprocess

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page.browser import SCREENSHOTS, PageCase

CARD = "[data-machine=unio-counter]"
COUNT = f"{CARD} [data-output=count]"

# Every kind of schema that a type in Swift can have, and a value of it.
SCHEMA = {
    "type": "object",
    "properties": {
        "flag": {"type": "boolean"}, "small": {"type": "integer", "minimum": -128, "maximum": 127},
        "large": {"type": "integer", "minimum": -2**63, "maximum": 2**63 - 1}, "ratio": {"type": "number"},
        "text": {"type": "string"}, "date": {"type": "string", "format": "date-time"},
        "uuid": {"type": "string", "format": "uuid"}, "url": {"type": "string", "format": "uri"},
        "data": {"type": "string", "format": "base64"}, "word": {"type": "string", "enum": ["all", "active"]},
        "level": {"type": "integer", "enum": [1, 2, 3]}, "list": {"type": "array", "items": {"type": "string"}},
        "dictionary": {"type": "object", "additionalProperties": {"type": "number"}},
        "empty": {"type": "object", "properties": {}}, "missing": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "null": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "twice": {"anyOf": [{"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"type": "null"}]},
        "shape": {"type": "object", "properties": {
            "circle": {"type": "object", "properties": {"radius": {"type": "number"}}, "required": ["radius"]},
            "point": {"type": "object", "properties": {}},
            "pair": {"type": "object", "properties": {"_0": {"type": "integer"}, "_1": {"type": "string"}},
                     "required": ["_0", "_1"]}}},
        "tree": {"$ref": "#/$defs/Tree%3CInt%3E"}, "anything": True,
    },
    "required": ["flag", "small", "large", "ratio", "text", "date", "uuid", "url", "data", "word", "level", "list",
                 "dictionary", "empty", "null", "twice", "shape", "tree", "anything"],
    "$defs": {"Tree<Int>": {
        "type": "object", "required": ["value", "children"], "properties": {
            "value": {"type": "integer"}, "left": {"anyOf": [{"$ref": "#/$defs/Tree%3CInt%3E"}, {"type": "null"}]},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree%3CInt%3E"}}}}},
}
VALUE = {
    "flag": False, "small": -5, "large": 7, "ratio": 0.5, "text": "a\nb", "date": "2026-01-31T12:00:00Z",
    "uuid": "2F1B7A8C-5D34-4E0B-9C61-7A0E4D5B3F28", "url": "https://a.example/", "data": "AQID", "word": "active",
    "level": 3, "list": ["x", "y"], "dictionary": {"a": 1, "b": 2}, "empty": {}, "null": None, "twice": 4,
    "shape": {"pair": {"_0": 1, "_1": "z"}},
    "tree": {"value": 1, "left": {"value": 2, "children": []}, "children": [{"value": 3, "children": []}]},
    "anything": [1, "two", None, {"three": True}],
}

# Shows the form of a schema, with a value if there is one.
SHOW_FORM = """
const [schema, value, done] = arguments;
import("/form.js").then(({ field }) => {
  const form = document.body.appendChild(document.createElement("form"));
  window.field = field(schema, "input", value ?? undefined);
  form.className = "console-input";
  form.id = "form";
  form.append(window.field.node);
  done(null);
}, (error) => done(String(error)));
"""
# Returns what the form has: JSON, or an error.
READ_FORM = """
try {
  return [JSON.stringify(window.field.value()), document.querySelector("#form").checkValidity()];
} catch (error) {
  return [error.message, false];
}
"""

# Fills a log with more than it keeps, and returns how many rows it has, and the newest one.
FILL_LOG = """
const done = arguments[0];
import("/log.js").then(({ EventLog }) => {
  const log = new EventLog();
  for (let count = 0; count < 1000; count += 1) log.sent(`input ${count}`, count).answered({ version: count, changes: { count } });
  const rows = [...log.node.querySelectorAll("tbody tr")];
  done([rows.length, rows[0].querySelector("b").textContent, log.node.querySelector("h4").textContent]);
});
"""


class FormTests(PageCase):
    """Forms from schemas, as of the page and the inspector."""

    def setUp(self):
        self.browser.get(f"{self.server.url}/docs")

    def show_form(self, schema, value=None):
        self.assertIsNone(self.browser.execute_async_script(SHOW_FORM, schema, value))

    def read_form(self):
        return self.browser.execute_script(READ_FORM)

    def press(self, text):
        next(button for button in self.browser.find_elements(By.CSS_SELECTOR, "#form button") if button.text == text).click()

    def test_a_form_has_every_kind_of_schema(self):
        self.show_form(SCHEMA, VALUE)
        text, is_valid = self.read_form()
        self.assertEqual(json.loads(text), VALUE)
        self.assertTrue(is_valid)
        # JSON is nowhere in it.
        self.assertNotIn("{", "".join(node.get_property("value") for node in self.browser.find_elements(By.CSS_SELECTOR, "#form textarea")))

    def test_a_value_is_entered_without_json(self):
        self.show_form({"type": "object", "required": ["tags", "shape"], "properties": {
            "tags": {"type": "array", "items": {"type": "string"}}, "shape": SCHEMA["properties"]["shape"],
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]}}})
        # A case has to be chosen.
        self.assertFalse(self.read_form()[1])
        self.find("#form select").send_keys("circle")
        self.find("#form select + .nested input, .nested [type=number]").send_keys(Keys.CONTROL, "a", Keys.NULL, "2.5")
        for word in ["one", "two"]:
            self.press("Add an element")
            # The new element has the focus.
            self.browser.switch_to.active_element.send_keys(word)
        self.find("#form .element button").click()
        self.find("#form [type=checkbox]").click()
        self.find("#form .check + .nested textarea").send_keys("first", Keys.SHIFT, Keys.ENTER, Keys.NULL, "second")
        text, is_valid = self.read_form()
        self.assertTrue(is_valid)
        self.assertEqual(json.loads(text), {"tags": ["two"], "shape": {"circle": {"radius": 2.5}}, "note": "first\nsecond"})

    def test_the_form_of_a_type_that_contains_itself_ends(self):
        self.show_form({"$ref": "#/$defs/E", "$defs": {"E": {"type": "object", "properties": {
            "add": {"type": "object", "properties": {"_0": {"$ref": "#/$defs/E"}, "_1": {"$ref": "#/$defs/E"}}, "required": ["_0", "_1"]},
            "number": {"type": "object", "properties": {"_0": {"type": "integer"}}, "required": ["_0"]}}}}})
        self.find("#form select").send_keys("add")
        for select in self.browser.find_elements(By.CSS_SELECTOR, "#form .nested select"):
            select.send_keys("number")
        self.assertEqual(json.loads(self.read_form()[0]), {"add": {"_0": {"number": {"_0": 0}}, "_1": {"number": {"_0": 0}}}})

    def test_what_a_form_cannot_send_exactly_is_not_sent(self):
        self.show_form(SCHEMA["properties"]["large"])
        self.find("#form input").send_keys(Keys.CONTROL, "a", Keys.NULL, "9007199254740993")
        self.assertEqual(self.read_form(), ["9007199254740993", True])
        self.browser.execute_script("delete JSON.rawJSON")
        self.assertIn("cannot send 9007199254740993 exactly", self.read_form()[0])

    def test_limits_and_double_keys_are_refused(self):
        self.show_form(SCHEMA["properties"]["small"])
        self.find("#form input").send_keys(Keys.CONTROL, "a", Keys.NULL, "128")
        self.assertFalse(self.read_form()[1])
        self.browser.execute_script("document.querySelector('#form').remove()")
        self.show_form(SCHEMA["properties"]["dictionary"])
        for _ in range(2):
            self.press("Add an entry")
            self.browser.switch_to.active_element.send_keys("same")
        self.assertIn('have the key "same"', self.read_form()[0])


class ConsoleTests(PageCase):
    def open_counter(self):
        self.open_console("unio-counter")
        self.wait_for_console()

    def wait_for_console(self, card=CARD):
        self.wait_for("its session is live", lambda: self.situation(card) == "live")

    def press_input(self, name, card=CARD):
        self.find(f"{card} [data-input={name}] button").click()

    def rows(self, card=CARD):
        """Returns the texts of the log, the newest first."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll(`${arguments[0]} .log tbody tr`)]"
            ".map((row) => [...row.children].map((cell) => cell.innerText))", card)

    def fragment(self):
        return self.browser.execute_script("return location.hash")

    def name(self):
        """Returns the name that the address has for the session of the console."""
        return self.browser.execute_script("return new URLSearchParams(location.hash.slice(1)).get('session')")

    def consoles(self):
        return len(self.browser.find_elements(By.CSS_SELECTOR, ".console"))

    def stored_id(self, name, machine="unio-counter"):
        return self.browser.execute_script(
            "return sessionStorage.getItem(`granary-session-${arguments[0]}-${arguments[1]}`)", machine, name)

    def load(self, fragment):
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}/{fragment}")

    # The list.

    def test_machines_are_found_by_name_summary_and_ports(self):
        search = self.find("#machines > input")
        for text, expected in [("unio count", ["unio-counter"]), ("repositories nested", ["unio-search"]), ("handleaddress", ["tic-tac-toe"])]:
            search.clear()
            search.send_keys(text)
            shown = [card.get_attribute("data-machine") for card in self.browser.find_elements(By.CSS_SELECTOR, ".machine") if card.is_displayed()]
            self.assertEqual(shown, expected)
        self.assertIn("1 of ", self.text("#machines > .status"))
        search.send_keys(Keys.TAB)
        self.assertEqual(self.fragment(), "#find=handleaddress")
        self.browser.refresh()
        self.wait_for("the same machine", lambda: self.text("#machines > .status").startswith("1 of "))
        self.find("#machines > input").send_keys(" nowhere")
        self.assertEqual(self.text("#machines > .status"), "No machine matches.")

    def test_a_phone_folds_the_list(self):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        self.wait_for("the list is folded", lambda: not self.browser.find_elements(By.CSS_SELECTOR, ".machine[open]"))
        heights = {card.size["height"] for card in self.browser.find_elements(By.CSS_SELECTOR, ".machine")}
        self.assertLess(max(heights), 80)
        self.find(f"{CARD} > summary").click()
        self.open_counter()
        self.press_input("countUp")
        self.wait_for_number(1, COUNT)
        self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth - innerWidth"), 0)
        self.browser.execute_script("document.querySelector(arguments[0]).scrollIntoView()", CARD)
        self.browser.save_screenshot(str(SCREENSHOTS / "phone-console.png"))

    # The log.

    def test_the_log_shows_inputs_with_versions_and_times(self):
        self.open_counter()
        self.press_input("countUp")
        self.wait_for("the stream has reported it", lambda: self.rows()[0][4].endswith(" ms"))
        _, event, version, response, stream, values = self.rows()[0]
        self.assertEqual((event, version), ("countUp", "v1"))
        self.assertRegex(response, r"^[\d,.]+ ms$")
        self.assertRegex(stream, r"^[\d,.]+ ms$")
        self.assertIn("count 1", values)
        self.assertEqual([row[1] for row in self.rows()], ["countUp", "Outputs"])
        self.browser.execute_script("document.querySelector(arguments[0]).scrollIntoView()", CARD)
        self.browser.save_screenshot(str(SCREENSHOTS / "console-log.png"))
        self.find(f"{CARD} .log-head button").click()
        self.assertEqual([row[0] for row in self.rows()], ["Each input and each change appears here."])
        self.press_input("countDown")
        self.wait_for("the next input", lambda: self.rows()[0][1] == "countDown")

    def test_the_log_tells_changes_of_others_from_those_of_this_page(self):
        self.open_counter()
        session = self.stored_id(self.name())
        status, _ = self.server.request("POST", f"/v1/sessions/{session}/inputs/countUp", **self.cookie())
        self.assertEqual(status, 200)
        self.wait_for("the change", lambda: self.rows()[0][1] == "Change by another client, a timer or an effect")
        self.assertEqual(self.rows()[0][2:5], ["v1", "", ""])
        self.press_input("countUp")
        self.wait_for("the input has its version", lambda: self.rows()[0][1:3] == ["countUp", "v2"])
        self.assertEqual(len(self.rows()), 3)

    def test_the_log_shows_what_changes_nothing_and_what_fails(self):
        card = "[data-machine=tic-tac-toe]"
        self.open_console("tic-tac-toe")
        self.wait_for_console(card)
        self.press_input("startNewGame", card)
        self.wait_for("nothing changed", lambda: self.rows(card)[0][5] == "nothing changed")
        card = "[data-machine=composable-downloads]"
        self.open_console("composable-downloads")
        self.wait_for_console(card)
        form = f"{card} [data-input='download.buttonTapped']"
        self.find(f"{form} [type=number]").send_keys(Keys.CONTROL, "a", Keys.NULL, "99")
        self.find(f"{form} > button").click()
        self.wait_for("it fails", lambda: self.text(f"{form} .note.is-error") != "")
        _, event, version, _, _, reason = self.rows(card)[0]
        self.assertEqual((event, version, reason), ('download.buttonTapped {"id":99}', "", self.text(f"{form} .note")))

    def test_the_log_is_bounded(self):
        rows, newest, title = self.browser.execute_async_script(FILL_LOG)
        self.assertEqual((rows, newest, title), (200, "input 999", "Events the newest 200"))

    # What is copied.

    def copied(self, label):
        self.browser.execute_script("window.copied = null; navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        self.find(f"[data-machine=counter] .copy [aria-label='{label}']").click()
        self.wait_for("the text is copied", lambda: self.browser.execute_script("return window.copied") is not None)
        self.assertEqual(self.text("[data-machine=counter] .copy .note"), "Copied.")
        return self.browser.execute_script("return window.copied")

    def test_an_input_is_copied_as_a_link_and_as_code(self):
        card = "[data-machine=counter]"
        self.open_console("counter")
        self.wait_for_console(card)
        self.find(f"{card} [data-input=isOn] select").send_keys("true")
        self.assertEqual(self.copied("Copy a link"), f"{self.address}/#machine=counter&input=isOn&value=true")
        self.assertIn('await session.send("isOn", true);', self.copied("Copy as JavaScript"))
        creation, sending, _ = self.copied("Copy as curl").split("\n")
        answer = subprocess.run(["bash", "-c", f"{creation}\n{sending}"], stdout=subprocess.PIPE, check=True).stdout
        self.assertTrue(json.loads(answer)["changes"]["isIncrementEnabled"])

    def test_without_a_clipboard_the_text_is_shown(self):
        self.browser.execute_script("navigator.clipboard.writeText = () => Promise.reject(new Error())")
        self.open_counter()
        self.find(f"{CARD} .copy [aria-label='Copy as curl']").click()
        self.wait_for("the text is shown", lambda: self.find(f"{CARD} .copied").is_displayed())
        self.assertIn("/v1/sessions", self.find(f"{CARD} .copied").get_property("value"))

    # The address.

    def test_a_reload_and_the_history_show_the_same_consoles(self):
        self.open_counter()
        self.press_input("countUp")
        self.wait_for_number(1, COUNT)
        name = self.name()
        self.assertEqual(self.fragment(), f"#machine=unio-counter&session={name}")
        # The id of the session, with which others could use it if it had no owner, is not in the address.
        self.assertNotIn(self.stored_id(name), self.fragment())
        self.browser.refresh()
        self.wait_for("the number after a reload", lambda: self.consoles() == 1 and self.text(COUNT) == "1")
        self.browser.back()
        self.wait_for("no console is open", lambda: self.consoles() == 0)
        self.browser.forward()
        self.wait_for("the number is there again", lambda: self.consoles() == 1 and self.text(COUNT) == "1")
        other = self.open_console("composable-counter")
        self.wait_for_console(other)
        self.browser.refresh()
        self.wait_for("both consoles", lambda: self.consoles() == 2 and self.situation(other) == self.situation(CARD) == "live")
        self.find(f"{CARD} > button").click()
        self.assertNotIn("unio-counter", self.fragment())

    def test_a_link_in_another_tab_shows_the_same_session(self):
        self.open_counter()
        self.press_input("countUp")
        self.wait_for_number(1, COUNT)
        self.open_tab(self.browser.current_url)
        self.wait_for("the number", lambda: self.consoles() == 1 and self.text(COUNT) == "1")

    def test_closing_the_session_of_a_program_does_not_delete_it(self):
        self.switch_on()
        self.count(1, 2)
        session = self.session()
        self.load("#machine=counter&session=main")
        card = "[data-machine=counter]"
        self.wait_for("the console of the demo's session", lambda: self.consoles() == 1 and self.text(f"{card} [data-output=count]") == "2")
        self.find(f"{card} > button").click()
        self.count(3)
        self.assertEqual(self.session(), session)

    def test_a_link_fills_the_form_and_sends_nothing(self):
        self.load("#machine=counter&input=isOn&value=true")
        card = "[data-machine=counter]"
        self.wait_for("its session is live", lambda: self.consoles() == 1 and self.situation(card) == "live")
        form = f"{card} [data-input=isOn]"
        self.assertEqual(self.find(f"{form} select").get_property("value"), "true")
        self.assertEqual(self.text(f"{form} .note"), "From the link. Nothing has been sent.")
        self.assertEqual(self.browser.switch_to.active_element, self.find(f"{form} select"))
        self.assertEqual([row[1] for row in self.rows(card)], ["Outputs"])
        self.assertIn("input=isOn&value=true", self.fragment())
        self.find(f"{form} button").click()
        self.wait_for("it is sent", lambda: self.rows(card)[0][1] == "isOn true")
        self.assertNotIn("input=", self.fragment())

    def test_hostile_links_change_nothing(self):
        self.load("#machine=tic-tac-toe&input=handleAddress&value=" + "[" * 5000 + "&machine=%3Cimg%20src=x%20onerror=window.isHacked=true%3E")
        self.wait_for("the machine is missing", lambda: "no machine that is named <img" in self.text("#machines > .status"))
        self.wait_for("the reason", lambda: "not JSON" in self.text("[data-machine=tic-tac-toe] [data-input=handleAddress] .note"))
        self.assertFalse(self.browser.execute_script("return 'isHacked' in window"))

    def test_an_anchor_leaves_the_consoles_open(self):
        self.open_counter()
        before = self.fragment()
        self.browser.execute_script("location.hash = '#demos'")
        self.wait_for("the address is back", lambda: self.fragment() == before)
        self.assertEqual(self.consoles(), 1)

    def test_an_invitation_opens_a_console_and_leaves_the_address(self):
        self.open_counter()
        self.press_input("countUp")
        self.wait_for_number(1, COUNT)
        session = self.stored_id(self.name())
        status, body = self.server.request(
            "POST", f"/v1/sessions/{session}/tickets", {"allows": ["read", "write"], "expiresIn": "1h", "uses": 1, "renewsFor": "1h"}, **self.cookie())
        self.assertEqual(status, 201)
        # Another person, who has no cookie of the owner.
        self.browser.get("about:blank")
        self.browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.open_tab(f"{self.address}/#machine=unio-counter&session={session}&ticket={body['ticket']}")
        for _ in range(2):
            self.wait_for("the guest sees the number", lambda: self.consoles() == 1 and self.text(COUNT) == "1")
            for secret in [session, body["ticket"], "ticket"]:
                self.assertNotIn(secret, self.browser.current_url)
            self.browser.refresh()
