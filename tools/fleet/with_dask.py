#!/usr/bin/env python3
"""Adds up a folder of profiles with Dask: docs/guide/fleet.md.

    with_dask.py [--scheduler ADDRESS | --workers N] [--roofline PATH] [--out FILE] FOLDER [-- OPTION...]

Each file is a task, and so is each merge of a few results. A worker that is lost takes its results with it: Dask runs those tasks again,
and since merging is exact, the outcome is the same to the byte. OPTIONs go to `roofline analyze`: --machine, --config, --registry.
"""
import argparse
import os
import pathlib
import signal
import subprocess
import sys

from dask.distributed import Client, LocalCluster, as_completed

AT_ONCE = 16  # summaries that one task merges


def analyse(roofline, file, options):
    return subprocess.run([roofline, "analyze", file, *options, "-o", "summary"], check=True, stdout=subprocess.PIPE).stdout


def merge(roofline, summaries):
    return subprocess.run([roofline, "summarize", "-"], input=b"".join(summaries), check=True, stdout=subprocess.PIPE).stdout


def kill_one(client, futures):
    """For the test: a worker dies while there is work, together with the results that it holds."""
    next(iter(as_completed(futures)))
    address, pid = next(iter(client.run(os.getpid).items()))
    os.kill(pid, signal.SIGKILL)
    print(f"killed worker {address}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scheduler", help="of a running cluster; without it one is started here")
    parser.add_argument("--workers", type=int, help="processes of a cluster that is started here (default: one per core)")
    parser.add_argument("--roofline", default="roofline", help="the command, as the workers find it")
    parser.add_argument("--out", help="file for the result (default: standard output)")
    parser.add_argument("--kill-one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("folder")
    parser.add_argument("options", nargs="*")
    given = parser.parse_args()

    files = sorted(str(path.resolve()) for path in pathlib.Path(given.folder).iterdir() if path.is_file())
    if not files:
        sys.exit(f"{given.folder}: expected profiles in it")
    cluster = given.scheduler or LocalCluster(n_workers=given.workers, threads_per_worker=1, dashboard_address=None)
    with Client(cluster) as client:
        parts = client.map(lambda file: analyse(given.roofline, file, given.options), files)
        if given.kill_one:
            kill_one(client, parts)
        while True:
            parts = [client.submit(merge, given.roofline, parts[i : i + AT_ONCE]) for i in range(0, len(parts), AT_ONCE)]
            if len(parts) == 1:
                break
        result = parts[0].result()
    if not given.scheduler:
        cluster.close()
    if given.out:
        pathlib.Path(given.out).write_bytes(result)
    else:
        sys.stdout.buffer.write(result)


if __name__ == "__main__":
    main()
