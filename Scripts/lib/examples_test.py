"""Tests the to-do lists of Examples together, against one server: Scripts/test-examples passes the paths in GRANARY and TODO."""

import functools
import http.server
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from page.browser import View, make_browser
from page.server import PATIENCE, Server

GRANARY, TODO = os.environ["GRANARY"], os.environ["TODO"]
ROOT = Path(__file__).resolve().parents[2]
# Where Debian has the files that `npm install` would write to the folder of the example.
REACT = ("/Examples/TodoReact/node_modules/", "/usr/share/nodejs/")


class Files(http.server.SimpleHTTPRequestHandler):
    """The checkout as a site, with React in it."""

    def translate_path(self, path):
        prefix, folder = REACT
        return folder + path.removeprefix(prefix) if path.startswith(prefix) else super().translate_path(path)

    def log_message(self, *arguments):
        """Suppresses the request log."""


class Page(View):
    """A page with a list, in a tab of its own. The pages of a browser have the same list."""

    def __init__(self, browser, url):
        self.browser = browser
        browser.switch_to.new_window("tab")
        self.tab = browser.current_window_handle
        browser.get(url)
        self.wait_for("the list is live", lambda: self.text("#status") == "live")

    def show(self):
        self.browser.switch_to.window(self.tab)
        return self

    def rows(self):
        """Returns whether each item is completed, by its text."""
        return dict(self.browser.execute_script("""
          return [...document.querySelectorAll("li")].map((row) => {
            const [check, text] = row.querySelectorAll("input");
            return [text.value, check.checked];
          });
        """))

    def add(self, text):
        self.show().click("#add")
        self.wait_for("the item", lambda: "" in self.rows())
        self.browser.find_elements("css selector", "li input:not([type])")[0].send_keys(text)

    def type(self, text):
        self.show().browser.switch_to.active_element.send_keys(text)

    def check(self, text):
        # In one step, because completed items move to the end after a second.
        self.show().browser.execute_script("""
          const rows = [...document.querySelectorAll("li")];
          rows.find((row) => row.querySelectorAll("input")[1].value === arguments[0]).querySelector("input").click();
        """, text)

    def invite(self):
        self.show().click("#invite")
        self.wait_for("the invitation", lambda: self.text("#invitation"))
        return self.text("#invitation")

    def wait_for_rows(self, rows):
        self.show()
        self.wait_for(f"the rows {rows}", lambda: self.rows() == rows)


class Terminal:
    """The program, without a terminal."""

    def __init__(self, *arguments, **environment):
        self.process = subprocess.Popen(
            [TODO, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, **environment})
        self.lines = []
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.rstrip("\n"))
                self.changed.notify_all()

    def type(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def wait_for(self, what, condition):
        with self.changed:
            if not self.changed.wait_for(condition, PATIENCE):
                raise AssertionError(f"waited for: {what}; the program has printed: {self.lines}")

    def shown(self):
        """Returns the list that was printed last: the number of each item and whether it is completed, by its text."""
        heads = [index for index, line in enumerate(self.lines) if line.endswith((" item", " items"))]
        if not heads:
            return None
        count = int(self.lines[heads[-1]].split()[-2])
        rows = [line for line in self.lines[heads[-1] + 1:] if "[" in line]
        # The rest of the list is still being read.
        return {row[row.index("]") + 2:]: (row.split()[0], "[x]" in row) for row in rows} if len(rows) == count else None

    def wait_for_rows(self, rows):
        self.wait_for(f"the rows {rows}", lambda: self.shown() is not None and {
            text: is_complete for text, (_, is_complete) in self.shown().items()} == rows)

    def wait_for_line(self, text):
        self.wait_for(text, lambda: any(text in line for line in self.lines))

    def number(self, text):
        return self.shown()[text][0]

    def end(self, how=None):
        """Ends the input, or sends a signal, and returns the status of the program."""
        if how is None:
            self.process.stdin.close()
        else:
            self.process.send_signal(how)
        return self.wait()

    def wait(self):
        status = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        return status

    def kill(self):
        self.process.kill()
        self.wait()
        for pipe in [self.process.stdin, self.process.stdout]:
            pipe.close()


class ExamplesCase(unittest.TestCase):
    flags = ()

    def setUp(self):
        site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=ROOT))
        self.addCleanup(site.server_close)
        self.addCleanup(site.shutdown)
        threading.Thread(target=site.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{site.server_address[1]}"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.server = Server("--access.origins", self.origin, *self.arguments(), binary=GRANARY)
        self.server.state = self.folder
        self.server.start(keeps_sessions=True)
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.stop())

    def arguments(self):
        return []

    def run_terminal(self, *arguments, **environment):
        terminal = Terminal(*arguments, **environment)
        self.addCleanup(terminal.kill)
        return terminal


class OneListTests(ExamplesCase):
    """All clients have one list: the pages by its name, the terminal by invitation."""

    def setUp(self):
        super().setUp()
        self.browser = make_browser()
        self.addCleanup(self.browser.quit)
        self.plain, self.react = (
            Page(self.browser, f"{self.origin}/Examples/{name}/index.html?server={self.server.url}")
            for name in ["Todo", "TodoReact"])

    def wait_for_rows(self, clients, **rows):
        for client in clients:
            client.wait_for_rows(rows)

    def test_each_client_shows_the_changes_of_the_others(self):
        terminal = self.run_terminal(self.plain.invite())
        everyone = [self.plain, self.react, terminal]
        self.wait_for_rows(everyone)
        self.plain.add("page")
        self.wait_for_rows(everyone, page=False)
        self.react.add("react")
        self.wait_for_rows(everyone, page=False, react=False)
        terminal.type("add terminal")
        self.wait_for_rows(everyone, page=False, react=False, terminal=False)
        # Each completes the item of another one.
        self.plain.check("react")
        self.wait_for_rows(everyone, page=False, react=True, terminal=False)
        self.react.check("terminal")
        self.wait_for_rows(everyone, page=False, react=True, terminal=True)
        terminal.type(f"done {terminal.number('page')}")
        self.wait_for_rows(everyone, page=True, react=True, terminal=True)
        self.plain.check("page")
        self.wait_for_rows(everyone, page=False, react=True, terminal=True)
        terminal.type("clear")
        self.wait_for_rows(everyone, page=False)
        self.assertEqual(terminal.end(), 0)
        for page in [self.plain, self.react]:
            self.assertEqual(page.show().text("#problem"), "")

    def test_somebody_can_type_while_the_list_changes(self):
        for page, other in [(self.plain, self.react), (self.react, self.plain)]:
            page.add("last")
            self.wait_for_rows([page, other], last=False)
            page.add("b")
            self.wait_for_rows([page, other], last=False, b=False)
            # Before what is there, so that a cursor that jumps to the end is found.
            page.type(Keys.HOME + "a")
            self.wait_for_rows([page, other], last=False, ab=False)
            page.type("-")
            self.wait_for_rows([page, other], last=False, **{"a-b": False})
            # The item moves behind the other one, under the cursor.
            other.check("a-b")
            page.show().wait_for("the order", lambda: list(page.rows().items()) == [("last", False), ("a-b", True)])
            page.type("+")
            self.wait_for_rows([page, other], last=False, **{"a-+b": True})
            other.check("last")
            self.wait_for_rows([other], last=True, **{"a-+b": True})
            other.click("#clear")
            self.wait_for_rows([page, other])

    def test_all_continue_after_the_server_was_killed(self):
        terminal = self.run_terminal(self.react.invite())
        everyone = [self.plain, self.react, terminal]
        self.react.add("before")
        self.wait_for_rows(everyone, before=False)
        self.server.stop(signal.SIGKILL)
        terminal.wait_for_line("The server cannot be reached.")
        self.react.show().wait_for("offline", lambda: self.react.text("#status") == "offline")
        # It waits for the server, and is shown until then.
        self.react.check("before")
        self.react.wait_for_rows({"before": True})
        terminal.type("add after")
        self.server.start(keeps_sessions=True)
        self.wait_for_rows(everyone, before=True, after=False)
        self.assertEqual(terminal.end(), 0)

    def test_a_link_works_once(self):
        link = self.plain.invite()
        self.run_terminal(link).wait_for_rows({})
        second = self.run_terminal(link)
        second.wait_for_line("has no list")
        self.assertEqual(second.wait(), 1)

    def test_the_terminal_ends_when_its_invitation_is_revoked(self):
        link = self.plain.invite()
        terminal = self.run_terminal(link)
        terminal.wait_for_rows({})
        [session] = urllib.parse.parse_qs(urllib.parse.urlsplit(link).fragment)["session"]
        status = self.browser.execute_async_script("""
          const [address, done] = arguments;
          fetch(address, { method: "DELETE", credentials: "include" }).then(({ status }) => done(status), done);
        """, f"{self.server.url}/v1/sessions/{session}/tickets")
        self.assertEqual(status, 204)
        terminal.wait_for_line("The list has ended: unauthorized")
        self.assertEqual(terminal.wait(), 1)


class ElementTests(ExamplesCase):
    def test_the_counter_needs_no_script(self):
        browser = make_browser()
        self.addCleanup(browser.quit)
        browser.get(f"{self.origin}/Examples/Todo/counter.html")
        view = View()
        view.browser = browser
        browser.execute_script(
            "document.querySelector('granary-machine').setAttribute('server', arguments[0])", self.server.url)
        view.wait_for_number(0, "output")
        view.click("[data-input=isOn]")
        view.wait_for("the button is enabled", lambda: view.find("[data-input=increment]").is_enabled())
        for number in [1, 2]:
            view.click("[data-input=increment]")
            view.wait_for_number(number, "output")


class TerminalTests(ExamplesCase):
    """The terminal by itself."""

    def arguments(self):
        keys = self.folder / "keys"
        self.key = subprocess.run(
            [GRANARY, "keys", "new", "ada", "--access.apiKeys", keys], text=True, check=True, capture_output=True).stdout.strip()
        return ["--access.apiKeys", str(keys)]

    def test_it_runs_all_commands_of_a_file_and_ends_with_it(self):
        terminal = self.run_terminal(self.server.url)
        for line in ["add one", "", "add two", "done 1", "nonsense", "done 7", "filter completed", "add three", "delete 3", "clear"]:
            terminal.type(line)
        self.assertEqual(terminal.end(), 0)
        self.assertEqual(terminal.lines[-2:], ["all: 1 item", "2 [ ] two"])
        for line in ["commands: add TEXT", "There is no item 7.", "completed: 1 item", "3 [ ] three"]:
            terminal.wait_for_line(line)

    def test_a_user_finds_the_list_again(self):
        terminal = self.run_terminal(self.server.url, GRANARY_TOKEN=self.key)
        terminal.type("add mine")
        terminal.wait_for_rows({"mine": False})
        other = self.run_terminal(self.server.url, GRANARY_TOKEN=self.key)
        other.wait_for_rows({"mine": False})
        other.type("done 1")
        terminal.wait_for_rows({"mine": True})
        self.assertEqual([each.end() for each in [terminal, other]], [0, 0])

    def test_it_ends_when_it_is_interrupted(self):
        terminal = self.run_terminal(self.server.url)
        terminal.wait_for_rows({})
        self.assertEqual(terminal.end(signal.SIGINT), 0)
        self.assertEqual(terminal.lines[1:], ["all: 0 items"])

    def test_it_ends_when_it_is_interrupted_while_it_connects(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            terminal = self.run_terminal(f"http://127.0.0.1:{silent.getsockname()[1]}")
            silent.settimeout(PATIENCE)
            with silent.accept()[0]:
                self.assertEqual(terminal.end(signal.SIGINT), 0)
        self.assertEqual(terminal.lines, ["connecting to 127.0.0.1"])

    def test_it_ends_when_nobody_reads_its_output(self):
        reader, writer = os.pipe()
        os.close(reader)
        with subprocess.Popen([TODO, self.server.url], stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE) as process:
            os.close(writer)
            self.addCleanup(process.kill)
            self.assertIn(process.wait(PATIENCE), [0, -signal.SIGPIPE])

    def test_a_wrong_address_is_explained(self):
        for arguments in [["nonsense"], [self.server.url, "more"]]:
            terminal = self.run_terminal(*arguments)
            terminal.wait_for_line("usage: todo")
            self.assertEqual(terminal.wait(), 1)


if __name__ == "__main__":
    result = unittest.main(verbosity=2, exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(0 if result.testsRun and not failed else 1)
