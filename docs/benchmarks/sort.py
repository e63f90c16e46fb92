#!/usr/bin/env python3
"""Compares `fieldstone sort` of a file that is larger than the memory with SortBin and DuckDB.

  sort.py FOLDER fieldstone=COMMAND [sortbin=COMMAND] [duckdb=PYTHON]

FOLDER gets ITEMS doubles from [0, 1), 10^9 by default, and needs five times their bytes. PYTHON has
the packages duckdb and numpy; DuckDB has the keys in a table, and writes a table. SortBin sorts the
same file by its bytes, as `fieldstone sort --key 0:8` does. All have MEMORY GiB and the same number
of threads, in turns. Before each, its input leaves the page cache; its time includes that in which
its output gets to the disk. Jobs of one order must give the same keys: the SHA-256 of each is shown.
"""
import array, hashlib, os, pathlib, random, subprocess, sys, time

ITEMS = int(os.environ.get("ITEMS", str(10**9)))
MEMORY = int(os.environ.get("MEMORY", "1"))
ROUNDS = int(os.environ.get("ROUNDS", "2"))
THREADS = len(os.sched_getaffinity(0))

DUCKDB = """
import duckdb, pathlib, sys
job, folder, items, memory, threads = sys.argv[1], pathlib.Path(sys.argv[2]), *map(int, sys.argv[3:])
duck = duckdb.connect(folder / "keys.duckdb")
duck.execute(f"SET threads = {threads}")
if job == "make":
    import numpy
    duck.execute("CREATE TABLE keys (v DOUBLE)")
    with open(folder / "keys", "rb") as file:
        while len(part := numpy.fromfile(file, count=10**7)):
            duck.execute("INSERT INTO keys SELECT column0 FROM part")
elif job == "digest":
    import hashlib
    digest = hashlib.sha256()
    duck.execute(f"ATTACH '{folder / 'sorted'}' AS result (READ_ONLY)")
    for first in range(0, items, 10**7):
        rows = f"rowid >= {first} AND rowid < {first + 10**7} ORDER BY rowid"
        part = duck.execute(f"SELECT v FROM result.sorted WHERE {rows}").fetchnumpy()
        digest.update(part["v"].tobytes())
    print(digest.hexdigest())
else:
    duck.execute("SET enable_progress_bar = false")
    duck.execute(f"SET memory_limit = '{memory}GiB'")
    duck.execute(f"SET temp_directory = '{folder / 'temporary'}'")
    duck.execute(f"ATTACH '{folder / 'sorted'}' AS result")
    duck.execute("CREATE TABLE result.sorted AS SELECT v FROM keys ORDER BY v")
    duck.execute("CHECKPOINT result")
duck.close()
"""


def fill(path):
    draw = random.Random(1)
    with open(path, "wb") as file:
        for left in range(ITEMS, 0, -(10**6)):
            file.write(array.array("d", [draw.random() for _ in range(min(left, 10**6))]))


def persist(path, evict):
    """Waits until a file is on the disk; drops it from the page cache on request."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        if evict:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def run(command, source, output):
    persist(source, evict=True)
    for path in output.parent.glob(output.name + "*"):
        path.unlink()
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command[0]} failed: {status}")
    persist(output, evict=False)
    wall = time.monotonic() - start
    size = output.stat().st_size
    persist(output, evict=True)
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, size


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    programs = dict(argument.split("=", 1) for argument in sys.argv[2:])
    folder.mkdir(parents=True, exist_ok=True)
    keys, output = folder / "keys", folder / "sorted"
    if not keys.exists():
        fill(keys)
    sort = [*programs["fieldstone"].split(), "sort", str(keys), "-o", str(output), "-q",
            "--memory", f"{MEMORY}G", "--threads", str(THREADS)]
    jobs = {"fieldstone, as f64": ([*sort, "--type", "f64"], keys),
            "fieldstone, as strings": ([*sort, "--key", "0:8", "--record", "8"], keys)}

    def duck(job):
        return [programs["duckdb"], "-c", DUCKDB, job, str(folder), str(ITEMS), str(MEMORY),
                str(THREADS)]

    if "sortbin" in programs:
        jobs["sortbin, as strings"] = ([programs["sortbin"], "--size=8", f"--memory={MEMORY}G",
                                        f"--parallel={THREADS}", "-T", str(folder), str(keys),
                                        str(output)], keys)
    if "duckdb" in programs:
        table = folder / "keys.duckdb"
        if not table.exists():
            subprocess.run(duck("make"), check=True)
        jobs["duckdb, a table of f64"] = (duck("sort"), table)
    print("| job | round | wall, s | processor, s | resident, MB | output, GB | keys |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |", flush=True)
    for turn in range(ROUNDS):
        for name, (command, source) in jobs.items():
            wall, cpu, resident, size = run(command, source, output)
            if name.startswith("duckdb"):
                order = subprocess.run(duck("digest"), check=True, capture_output=True, text=True).stdout
            else:
                order = digest(output)
            print(f"| {name} | {turn + 1} | {wall:.1f} | {cpu:.1f} | {resident / 1e6:.0f} |"
                  f" {size / 1e9:.2f} | {order[:12]} |", flush=True)
    output.unlink()


main()
