"""What became of many programs: how many are right, which are not, and the exit status of it all."""

import os
import shutil


class Tally:
    def __init__(self, keep=None):
        """`keep`: a folder for the programs that fail, or None."""
        self.keep = keep
        self.passed = self.failed = self.skipped = 0

    def add(self, path, wrong):
        """`wrong`: what is wrong with this program, "skip", or nothing."""
        if wrong == "skip":
            self.skipped += 1
        elif wrong:
            if self.keep:
                os.makedirs(self.keep, exist_ok=True)
                shutil.copy(path, self.keep)
            self.fail(f"{os.path.basename(path)}: {wrong}")
        else:
            self.passed += 1

    def fail(self, why):
        self.failed += 1
        print(why, flush=True)

    def few_skipped(self, most):
        if self.skipped > most:
            self.fail(f"{self.skipped} of {self.passed + self.failed + self.skipped} skipped: too many")

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0
