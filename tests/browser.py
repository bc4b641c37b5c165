"""A headless Chromium, driven through its WebDriver: what the tests of pages need, and no more."""
import base64
import json
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


class Browser:
    """with Browser() as b: b.open(path); b.run("return document.title")"""

    def __init__(self, width=1200, height=900):
        self.profile = tempfile.TemporaryDirectory()
        self.log = tempfile.TemporaryFile("w+")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=self.log, stderr=subprocess.STDOUT)
        self.base = f"http://127.0.0.1:{self._port()}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     f"--window-size={width},{height}", f"--user-data-dir={self.profile.name}"]
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}}}}
        self.session = self._send("POST", "/session", wanted)["sessionId"]

    def _port(self):
        """The port that the driver has chosen, from what it prints."""
        for _ in range(1200):
            self.log.seek(0)
            for line in self.log:
                if "started successfully on port" in line:
                    return int(line.split("port")[1].strip().rstrip("."))
            time.sleep(0.1)
        raise RuntimeError("chromedriver did not start")

    def _send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from None

    def _do(self, method, path, body=None):
        return self._send(method, f"/session/{self.session}{path}", body)

    def open(self, path):
        self._do("POST", "/url", {"url": "file://" + os.path.abspath(path)})

    def visit(self, address):
        self._do("POST", "/url", {"url": address})

    def reload(self):
        """When this returns, the new page is there: scripts that reload do not wait for it."""
        self._do("POST", "/refresh", {})

    def wait(self, condition, seconds=120):
        """Until a condition of JavaScript is true; what it is then, or None."""
        end = time.time() + seconds
        while time.time() < end:
            value = self.run("return " + condition)
            if value:
                return value
            time.sleep(0.03)
        return None

    def type(self, selector, text):
        """As on a keyboard; Ctrl is held until \\ue000."""
        element = self._do("POST", "/element", {"using": "css selector", "value": selector})
        self._do("POST", f"/element/{next(iter(element.values()))}/value", {"text": text})

    def complaints(self):
        """What the page has written to the console."""
        return self._do("POST", "/se/log", {"type": "browser"})

    def run(self, script, *arguments):
        return self._do("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def click(self, selector):
        element = self._do("POST", "/element", {"using": "css selector", "value": selector})
        self._do("POST", f"/element/{next(iter(element.values()))}/click", {})

    def key(self, code):
        """Presses a key; arrows and their kin have codes of WebDriver's own."""
        self._do("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": code}, {"type": "keyUp", "value": code}]}]})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def resize(self, width, height):
        self._do("POST", "/window/rect", {"width": width, "height": height})

    def screenshot(self, path, selector=None):
        """A PNG of the window, or of an element."""
        where = "/screenshot"
        if selector:
            element = self._do("POST", "/element", {"using": "css selector", "value": selector})
            where = f"/element/{next(iter(element.values()))}/screenshot"
        with open(path, "wb") as out:
            out.write(base64.b64decode(self._do("GET", where)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._do("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()
