#!/usr/bin/env python3
"""Compares `fieldstone protect`, `verify` and `repair` with programs for PAR2 files.

  backup.py compare FOLDER NAME=COMMAND...   times, sizes and kinds of damage, as Markdown
  backup.py growing FOLDER COMMAND           `protect --update` after each backup of restic and borg
  backup.py scattered                        the chance to survive damage at random places

FOLDER is made and removed. NAME is `fieldstone`, or any name of a par2 program. All programs
protect the same files with parity of about 10 %, in turns. Python 3.9 or later, no packages.
"""
import hashlib, math, os, pathlib, random, shutil, subprocess, sys, time

MEGABYTES = int(os.environ.get("MEGABYTES", "100"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
REDUNDANCY = 0.1
PIECE = 100_000_000  # randbytes takes at most 2^28
JOBS = ("protect", "verify", "repair")


def write(path, draw, size):
    with open(path, "wb") as file:
        for at in range(0, size, PIECE):
            file.write(draw.randbytes(min(PIECE, size - at)))


def make(folder):
    """Makes files of random bytes: a large one, a medium one, and many small ones."""
    draw = random.Random(1)
    sizes = {"large": MEGABYTES * 700_000, "medium": MEGABYTES * 80_000}
    sizes |= {f"small{i:02}": MEGABYTES * 220_000 // 44 for i in range(44)}
    folder.mkdir(parents=True)
    for name, size in sizes.items():
        write(folder / name, draw, size)


def digest(folder):
    names = sorted(p for p in folder.iterdir() if p.is_file() and ".par2" not in p.name
                   and not p.name[-2:] in (".1", ".2"))
    return [(p.name, hashlib.sha256(p.read_bytes()).hexdigest()) for p in names]


class Program:
    def __init__(self, name, command):
        self.name, self.command = name, command.split()
        self.is_par2 = name != "fieldstone"

    def run(self, folder, *arguments):
        start = time.monotonic()
        done = subprocess.run([*self.command, *arguments], cwd=folder, capture_output=True, text=True)
        return done.returncode, time.monotonic() - start

    def protect(self, folder):
        files = sorted(p.name for p in folder.iterdir() if p.is_file())
        if self.is_par2:
            return self.run(folder, "create", "-q", "-q", f"-r{100 * REDUNDANCY:g}", "-n4", "-u",
                            "set.par2", *files)
        return self.run(folder, "protect", *files, "-o", "parity", "--force", "-q")

    def verify(self, folder):
        return self.run(folder, *(["verify", "-q", "-q", "set.par2"] if self.is_par2
                                  else ["verify", "parity", "-q"]))

    def repair(self, folder):
        # With names, par2 searches these files too, as a user with renamed files would ask for.
        others = sorted(p.name for p in folder.iterdir() if p.is_file() and ".par2" not in p.name)
        return self.run(folder, *(["repair", "-q", "-q", self.index(folder), *others] if self.is_par2
                                  else ["repair", "parity", "-q"]))

    def index(self, folder):
        return min(p.name for p in folder.iterdir() if ".par2" in p.name)

    def parity(self, folder):
        return sorted(folder.glob("*.par2") if self.is_par2 else (folder / "parity").iterdir())


def overwrite(path, at, count):
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(random.Random(at).randbytes(count))


def scatter(count):
    def damage(folder, program):
        draw, size = random.Random(count), (folder / "large").stat().st_size
        for _ in range(count):
            overwrite(folder / "large", draw.randrange(size // 512) * 512, 512)
    return damage


def burst(share):
    def damage(folder, program):
        overwrite(folder / "large", 1_000_003, int(share * MEGABYTES * 1e6))
    return damage


def delete(folder, program):
    (folder / "medium").unlink()


def truncate(folder, program):
    os.truncate(folder / "large", (folder / "large").stat().st_size - MEGABYTES * 50_000)


def insert(folder, program):
    path = folder / "large"
    path.write_bytes(b"inserted" + path.read_bytes())


def edit(folder, program):
    path, k = folder / "large", MEGABYTES * 100_000
    before = path.read_bytes()
    path.write_bytes(before[:k] + b"inserted" + before[k:3 * k] + before[3 * k + 5:5 * k] + b"!" + before[5 * k:])


def exchange(folder, program):
    (folder / "small00").rename(folder / "x")
    (folder / "small01").rename(folder / "small00")
    (folder / "x").rename(folder / "small01")


def rename(folder, program):
    (folder / "large").rename(folder / "another")


def lose_volume(folder, program):
    max(program.parity(folder), key=lambda path: path.stat().st_size).unlink()
    burst(0.05)(folder, program)


def damage_volumes(folder, program):
    for path in program.parity(folder):
        overwrite(path, path.stat().st_size // 3, 100)
    burst(0.05)(folder, program)


DAMAGE = {
    "512 bytes at one place": scatter(1),
    "512 bytes at each of 100 places": scatter(100),
    "512 bytes at each of 180 places": scatter(180),
    "512 bytes at each of 300 places": scatter(300),
    "a burst of 5 % of the set": burst(0.05),
    "a burst of 9.5 %": burst(0.095),
    "a burst of 11 %": burst(0.11),
    "a file of 8 % deleted": delete,
    "5 % cut off a file": truncate,
    "8 bytes inserted at the start of a file of 70 %": insert,
    "8 bytes inserted, 5 removed and 1 inserted, at three places of it": edit,
    "two files of 0.5 % with each other's names": exchange,
    "a file of 70 % renamed, and its new name given": rename,
    "a burst of 5 %, and the largest volume deleted": lose_volume,
    "a burst of 5 %, and 100 bytes of each volume": damage_volumes,
}


def compare(folder, programs):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    make(folder / "files")
    expected = digest(folder / "files")
    total = sum(p.stat().st_size for p in (folder / "files").iterdir())
    homes, times = {}, {}
    for program in programs:
        homes[program.name] = folder / program.name
        shutil.copytree(folder / "files", homes[program.name])
    for turn in range(ROUNDS):
        for program in programs:
            home = homes[program.name]
            for path in program.parity(home) if turn else []:
                path.unlink()
            for job in ("protect", "verify"):
                status, seconds = getattr(program, job)(home)
                assert status == 0, (program.name, job, status)
                times.setdefault((program.name, job), []).append(seconds)
            burst(0.05)(home, program)
            status, seconds = program.repair(home)
            times.setdefault((program.name, "repair"), []).append(seconds)
            for extra in home.glob("*.1"):
                extra.unlink()
            assert status == 0 and digest(home) == expected, (program.name, "repair")
            last = [f"{times[program.name, job][-1]:.2f}" for job in JOBS]
            print(f"round {turn}, {program.name}:", *last, file=sys.stderr, flush=True)
    print(f"| program | parity, bytes / file bytes | protect, s | verify, s | repair of 5 %, s |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for program in programs:
        bytes = sum(p.stat().st_size for p in program.parity(homes[program.name]))
        cells = [f"{min(times[program.name, job]):.2f}" for job in JOBS]
        print(f"| {program.name} | {bytes / total:.4f} | {' | '.join(cells)} |")
    print("\n| damage | " + " | ".join(program.name for program in programs) + " |")
    print("| --- |" + " --- |" * len(programs))
    for kind, damage in DAMAGE.items() if not os.environ.get("TIMES_ONLY") else []:
        cells = []
        for program in programs:
            trial = folder / "trial"
            shutil.rmtree(trial, ignore_errors=True)
            shutil.copytree(homes[program.name], trial)
            damage(trial, program)
            status, _ = program.repair(trial)
            whole = set(expected) <= set(digest(trial))
            assert whole == (status == 0), (program.name, kind, status)
            cells.append("repaired" if whole else "no")
        print(f"| {kind} | {' | '.join(cells)} |", flush=True)
    shutil.rmtree(folder)


def binomial_above(count, chance, most):
    """Returns the probability that more than `most` of `count` blocks are lost."""
    return sum(math.comb(count, i) * chance**i * (1 - chance) ** (count - i)
               for i in range(most + 1, count + 1))


def scattered():
    """Simulates a set of 10^9 bytes: sectors fail at random places, of files and parity alike."""
    k, n, r, d = 65536, 228, 23, 67  # what protect chooses for 10^9 bytes
    blocks, trials = (n + r) * d, 2000
    print("| bad sectors | blocks lost, % | all restored, simulated | by the binomial law |")
    print("| ---: | ---: | ---: | ---: |")
    for sectors in (10, 100, 200, 300, 400, 500, 600, 800):
        draw, survived = random.Random(sectors), 0
        for _ in range(trials):
            lost = {draw.randrange(blocks) for _ in range(sectors)}
            generations = [0] * d
            for block in lost:
                generations[block % d] += 1
            survived += max(generations) <= r
        chance = 1 - (1 - 1 / blocks) ** sectors
        law = (1 - binomial_above(n + r, chance, r)) ** d
        print(f"| {sectors} | {100 * chance:.1f} | {survived / trials:.4f} | {law:.4f} |")


def growing(folder, fieldstone):
    """Backs up a growing folder, updates the parity, damages the repository, repairs, checks."""
    folder = pathlib.Path(folder).absolute()
    environment = dict(os.environ, RESTIC_PASSWORD="x", BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK="yes",
                       HOME=str(folder))

    def run(*words, status=0):
        done = subprocess.run(list(map(str, words)), env=environment, cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != status:
            sys.exit(f"{words}: {done.returncode}\n{done.stdout}")
        return done.stdout

    for tool in ("restic", "borg"):
        folder.mkdir(parents=True)
        work, repo = folder / "work", folder / "repo"
        work.mkdir()
        run(*(("restic", "-r", repo, "init") if tool == "restic" else ("borg", "init", "-e", "none", repo)))
        for turn in range(4):
            size = MEGABYTES * 1_000_000 >> 2 * turn
            write(work / f"file{turn}", random.Random(turn), size)
            if turn == 3:
                (work / "file2").unlink()
            run(*(("restic", "-r", repo, "backup", work) if tool == "restic"
                  else ("borg", "create", f"{repo}::a{turn}", work)))
            if turn == 3:  # What only the third backup has is deleted.
                run(*(("restic", "-r", repo, "forget", "--keep-last", 1, "--prune") if tool == "restic"
                      else ("borg", "delete", repo, "a2")))
                if tool == "borg":
                    run("borg", "compact", repo)
            print(tool, run(fieldstone, "protect", repo, "-o", folder / "parity", "--update").splitlines()[0])
        packs = sorted((path for path in repo.rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
        for pack in packs[-4:]:
            overwrite(pack, pack.stat().st_size // 2, 4096)
        if tool == "restic":
            packs[-1].unlink()
        run(fieldstone, "verify", folder / "parity", status=1)
        run(fieldstone, "repair", folder / "parity")
        run(*(("restic", "-r", repo, "check", "--read-data") if tool == "restic"
              else ("borg", "check", "--verify-data", repo)))
        print(tool, "repaired and checked")
        shutil.rmtree(folder)


if __name__ == "__main__":
    if len(sys.argv) > 3 and sys.argv[1] == "compare":
        compare(sys.argv[2], [Program(*word.split("=", 1)) for word in sys.argv[3:]])
    elif len(sys.argv) == 4 and sys.argv[1] == "growing":
        growing(sys.argv[2], sys.argv[3])
    elif sys.argv[1:] == ["scattered"]:
        scattered()
    else:
        sys.exit(__doc__)
