"""Does what Docs/clients.md says, from the address of a server to a page with types, and prints the seconds of each step.

GRANARY=PROGRAM clients_document.py starts the server. ADDRESS=URL clients_document.py uses one that permits pages of http://localhost:8000.
Called by Scripts/test-clients.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from page.browser import View, make_browser
from page.server import PATIENCE, Server

DOCUMENT = Path(__file__).resolve().parents[2] / "Docs/clients.md"
SECTIONS = ["A page", "A program", "A page that the server hosts"]
ADDRESS, SITE = "http://localhost:8080", "http://localhost:8000"
BLOCK = re.compile(r"(?:^`([\w./]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Reader(View):
    """A new user, who reads the document and does what it says in an empty folder."""

    def __init__(self, folder):
        self.folder = folder
        self.began = time.monotonic()
        self.names = {}
        self.site = self.server = self.browser = None

    def read(self):
        text = DOCUMENT.read_text()
        blocks = [block for name in SECTIONS for block in BLOCK.findall(text.split(f"\n## {name}\n")[1].split("\n## ")[0])]
        self.serve(next(text for _, language, text in blocks if "http.server" in text))
        for file, language, text in blocks:
            self.follow(file, language, self.here(text))
        self.look()

    def here(self, text):
        """Returns a text of the document with the addresses of this run."""
        for name, here in self.names.items():
            text = text.replace(name, here)
        return text

    def serve(self, command):
        """Begins to serve the page, whose address the server has to know."""
        (self.folder / "page").mkdir()
        port = 8000 if "ADDRESS" in os.environ else 0
        self.site = subprocess.Popen(
            shlex.split(command.replace("8000", str(port))), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        port = re.search(r"port (\d+)", self.site.stdout.readline())[1]
        self.names[SITE] = f"http://localhost:{port}"
        if "ADDRESS" in os.environ:
            self.names[ADDRESS] = os.environ["ADDRESS"].rstrip("/")
        else:
            self.server = Server("--access.origins", self.names[SITE], binary=os.environ["GRANARY"])
            self.server.start()
            self.names[ADDRESS] = f"http://localhost:{self.server.port}"
        self.began = time.monotonic()

    def follow(self, file, language, text):
        if file:
            (self.folder / file).write_text(text)
        elif language == "sh" and "http.server" not in text:
            for line in text.splitlines():
                self.run(line.replace("mkdir ", "mkdir -p "))
        elif language == "ts":
            self.refuse(text)

    def run(self, line):
        began = time.monotonic()
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", line], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        print(f"{time.monotonic() - began:6.1f} s  {line}", flush=True)
        if result.returncode:
            sys.exit(f"failed with {result.returncode}: {result.stdout}{result.stderr}")
        if line.startswith("node ") and result.stdout != "1\n":
            sys.exit(f"expected 1, got: {result.stdout}")

    def refuse(self, text):
        """Checks that the compiler refuses a line at the end of the page's program, and nothing else."""
        (self.folder / "page/wrong.ts").write_text((self.folder / "page/main.ts").read_text() + text)
        result = subprocess.run(
            ["tsc", "--strict", "--noEmit", "--target", "es2022", "--module", "es2022", "page/wrong.ts"], cwd=self.folder,
            capture_output=True, text=True, timeout=PATIENCE)
        if result.stdout.count("error TS") != 1 or "not assignable to parameter of type 'boolean'" not in result.stdout:
            sys.exit(f"expected the compiler to refuse {text}, got: {result.stdout}")

    def look(self):
        """Opens the page and uses it."""
        began = time.monotonic()
        self.browser = make_browser()
        self.browser.get(self.names[SITE])
        self.wait_for("the page shows a number", lambda: self.text("#number").isdigit())
        number = int(self.text("#number"))
        self.click("#increment")
        self.wait_for("the button counts", lambda: int(self.text("#number")) > number)
        print(f"{time.monotonic() - began:6.1f} s  the page in a browser\n{time.monotonic() - self.began:6.1f} s  altogether")

    def stop(self):
        if self.browser:
            self.browser.quit()
        if self.server:
            self.server.stop()
        if self.site:
            self.site.terminate()
            self.site.communicate()


def main():
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(Path(folder))
        try:
            reader.read()
        finally:
            reader.stop()


main()
