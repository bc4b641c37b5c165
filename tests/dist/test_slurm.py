#!/usr/bin/env python3
"""Swarms on a real Slurm: munged, slurmctld and slurmd are started on this machine, in a folder and on
ports of their own; jobs are handed out by sbatch, killed and requeued, and the manager is a job itself.

Needs the Debian packages slurm-wlm and munge, and root. Without them it is left out, and says so.
"""
import glob
import json
import os
import pwd
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "diff"))
from harness import GYRE, ROOT, check, counts, gyre  # noqa: E402
from swarm_compare import union  # noqa: E402

MODEL = [os.path.join(ROOT, "bench", "swarm", "transfer.pml"), "-D", "LINES=2", "-D", "SHORT=1", "-D", "LEN=4",
         "--backend", "vm"]
DIVIDED = ["--job-states", "3000", "--guide", "sender(0)", "--keep-states", "--json"]
CELLS = ["--job-states", "6000", "--guide", "none", "--keep-states", "--json"]


def missing():
    if os.geteuid() != 0:
        return "only root can start munged and slurmd"
    for program in ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel"):
        if not shutil.which(program) and not os.path.exists("/usr/sbin/" + program):
            return f"{program} is not installed (packages slurm-wlm, munge)"
    try:
        pwd.getpwnam("munge")
    except KeyError:
        return "there is no user munge"
    return None


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    """One node with two processors."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        host = socket.gethostname().split(".")[0]
        controller, node = free_ports(2)
        os.chmod(folder, 0o755)
        munge = os.path.join(folder, "munge")
        os.mkdir(munge)
        key = os.path.join(munge, "key")
        with open(key, "wb") as file:
            file.write(os.urandom(1024))
        user = pwd.getpwnam("munge")
        for path, mode in ((key, 0o400), (munge, 0o755)):
            os.chmod(path, mode)
            os.chown(path, user.pw_uid, user.pw_gid)
        self.socket = os.path.join(munge, "socket")
        for name in ("state", "spool"):
            os.mkdir(os.path.join(folder, name))
        self.conf = os.path.join(folder, "slurm.conf")
        with open(self.conf, "w", encoding="utf-8") as file:
            file.write(f"""ClusterName=gyretest
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={self.socket}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={controller}
SlurmdPort={node}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
SchedulerParameters=batch_sched_delay=0,sched_interval=1,requeue_delay=0
MinJobAge=5
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
        self.env = {**os.environ, "SLURM_CONF": self.conf, "PATH": os.environ["PATH"] + ":/usr/sbin"}
        self.start(["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "munged",
                    "--foreground", f"--key-file={key}", f"--socket={self.socket}", f"--pid-file={munge}/pid",
                    f"--log-file={munge}/log", f"--seed-file={munge}/seed"])
        if not self.wait(lambda: os.path.exists(self.socket)):
            self.up = False
            return
        self.start(["slurmctld", "-D", "-i"])
        self.start(["slurmd", "-D", "-N", host])
        self.host = host
        self.up = self.wait(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%t"))

    def start(self, command):
        log = open(os.path.join(self.folder, os.path.basename(command[0]) + ".out"), "wb")
        self.processes.append(subprocess.Popen(command, env=self.env, stdout=log, stderr=subprocess.STDOUT))

    def wait(self, good, seconds=600):
        for _ in range(seconds * 10):
            if good():
                return True
            time.sleep(0.1)
        return False

    def ask(self, *command):
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def logs(self):
        text = ""
        for path in glob.glob(os.path.join(self.folder, "*.log")) + glob.glob(os.path.join(self.folder, "*.out")):
            with open(path, encoding="utf-8", errors="replace") as file:
                text += f"--- {path}\n" + "".join(file.readlines()[-15:])
        return text

    def end(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def good(name, out, full, folder):
    told = json.loads(out) if out.startswith("{") else None
    check(name, told and told["verdict"] == "holds", out)
    check(f"{name}: all states", len(union(folder)) == full, (len(union(folder)), full))


def swarm(cluster, *more):
    return subprocess.Popen([GYRE, "swarm", *more], env=cluster.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def arrays(cluster, folder, full):
    there = os.path.join(folder, "arrays")
    out, err = swarm(cluster, *MODEL, *DIVIDED, "--launcher", "slurm", "--workers", "4", "--dir", there).communicate(timeout=900)
    good("jobs by sbatch", out or err, full, there)
    check("as arrays", glob.glob(os.path.join(there, "array-*.sh")), os.listdir(there))


def killed(cluster, folder, full):
    """Tasks are cancelled and requeued while they wait or run."""
    there = os.path.join(folder, "killed")
    run = swarm(cluster, *MODEL, *DIVIDED, "--launcher", "slurm", "--workers", "4", "--dir", there)
    rng, done = random.Random(7), 0
    while run.poll() is None:
        time.sleep(0.1)
        queue = re.findall(r"^(\d+_\d+) (\S+)", cluster.ask("squeue", "-h", "-r", "-o", "%i %T"), re.M)
        if queue and done < 4:
            job, _ = rng.choice(queue)
            cluster.ask("scontrol", "requeue", job) if done % 2 else cluster.ask("scancel", job)
            done += 1
    out, err = run.communicate()
    good(f"{done} tasks cancelled or requeued", out or err, full, there)


def lost_seeds(cluster, folder, full):
    """Seeds (or, of cells, known states) that later jobs need are damaged: the job that made them is done again,
    though the queue has long forgotten it and its answer was there."""
    for name, more in ("seeds", DIVIDED), ("known", CELLS):
        there = os.path.join(folder, "lost-" + name)
        run = swarm(cluster, *MODEL, *more, "--launcher", "slurm", "--workers", "1", "--dir", there)
        journal = os.path.join(there, "journal")
        while run.poll() is None and not (os.path.exists(journal) and os.path.getsize(journal) > 250):
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        cluster.ask("scancel", "--user", "root")
        cluster.wait(lambda: not cluster.ask("squeue", "-h").strip())
        with open(journal, encoding="utf-8") as file:
            last = re.findall(r" done (\d+) ", file.read())[-1]
        for kind in ("seeds", "known"):
            path = os.path.join(there, f"job-{last}.{kind}")
            if os.path.exists(path):
                os.truncate(path, os.path.getsize(path) // 2)
        out, err = swarm(cluster, "--resume", there).communicate(timeout=900)
        good(f"{name} were lost", out or err, full, there)
        if out.startswith("{"):
            told = json.loads(out)["stats"]["swarm"]
            check(f"{name} were made again", told["failed"] >= 1, told)


def as_a_job(cluster, folder, full):
    """The manager is a job; it is killed, requeued, and goes on."""
    there, report = os.path.join(folder, "manager"), os.path.join(folder, "report")
    script = os.path.join(folder, "manager.sh")
    command = " ".join(f"'{word}'" for word in [GYRE, "swarm", *MODEL, *DIVIDED, "--workers", "1", "--dir", there])
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nif [ -e '{there}/journal' ]; then '{GYRE}' swarm --resume '{there}' > '{report}'\n"
                   f"else {command} > '{report}'; fi\n")
    job = cluster.ask("sbatch", "--parsable", "--requeue", "-o", os.path.join(folder, "manager.log"), script).strip()
    journal = os.path.join(there, "journal")
    cluster.wait(lambda: os.path.exists(journal) and os.path.getsize(journal) > 150 or not cluster.ask("squeue", "-h", "-j", job))
    cluster.ask("scontrol", "requeue", job)
    cluster.wait(lambda: not re.match(r"(PENDING|RUNNING|COMPLETING|REQUEUED)", cluster.ask("squeue", "-h", "-j", job, "-o", "%T")), 400)
    out = open(report, encoding="utf-8").read() if os.path.exists(report) else cluster.ask("scontrol", "show", "job", job)
    good("the manager as a job", out, full, there)


def main():
    why = missing()
    if why:
        check("left out", True)
        print(f"left out: {why}")
    else:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)  # the user munge has to get there
            os.mkdir(os.path.join(folder, "c"))
            cluster = Cluster(os.path.join(folder, "c"))
            try:
                check("a cluster of one node", cluster.up, cluster.logs())
                if cluster.up:
                    full = gyre(*MODEL, "--no-por", "--no-symmetry", "--search", "bfs", "--check", "safety",
                                "--json").json["properties"][0]["states"]
                    for part in (arrays, killed, lost_seeds, as_a_job):
                        part(cluster, folder, full)
                        if counts[False]:
                            print(cluster.logs())
            finally:
                cluster.end()
    print(f"{counts[True]} passed, {counts[False]} failed")
    return counts[False] != 0


if __name__ == "__main__":
    sys.exit(main())
