"""What else kept the machine busy while something was measured."""

import os
import threading

TICKS = os.sysconf("SC_CLK_TCK")
PAUSE = 1.0  # seconds between two looks


def busy_ticks():
    """Of all processors, since the machine started."""
    with open("/proc/stat") as f:
        parts = [int(x) for x in f.readline().split()[1:9]]
    return sum(parts) - parts[3] - parts[4]


def processes():
    """pid -> (parent, ticks of it and of the children that it has waited for)"""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as f:
                    words = f.read().rsplit(")", 1)[1].split()
            except OSError:
                continue  # it has ended
            found[int(name)] = int(words[1]), sum(map(int, words[11:15]))
    return found


def own_ticks():
    """Of this process and of all below it, those that have ended and were waited for included."""
    known = processes()
    below = {}
    for pid, (parent, _) in known.items():
        below.setdefault(parent, []).append(pid)
    ticks, todo = 0, [os.getpid()]
    while todo:
        pid = todo.pop()
        ticks += known.get(pid, (0, 0))[1]
        todo += below.get(pid, [])
    return ticks


class Watch:
    """A context. Afterwards `mean` and `most`: processors that others used, on average and at most over a second.

    A process whose parent dies without waiting for it counts as another's from then on."""

    def __enter__(self):
        self.samples, self.ended = [], threading.Event()
        self.last = busy_ticks(), own_ticks(), os.times().elapsed
        self.thread = threading.Thread(target=self.look_on, daemon=True)
        self.thread.start()
        return self

    def sample(self):
        now = busy_ticks(), own_ticks(), os.times().elapsed
        busy, own, passed = (n - l for n, l in zip(now, self.last))
        if passed > 0.2:
            self.samples.append((max(0.0, (busy - own) / TICKS), passed))
            self.last = now

    def look_on(self):
        while not self.ended.wait(PAUSE):
            self.sample()

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        self.sample()

    @property
    def mean(self):
        passed = sum(p for _, p in self.samples)
        return round(sum(used for used, _ in self.samples) / passed, 2) if passed else 0.0

    @property
    def most(self):
        return round(max((used / passed for used, passed in self.samples), default=0.0), 2)
