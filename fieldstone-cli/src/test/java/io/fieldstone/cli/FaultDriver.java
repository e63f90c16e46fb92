package io.fieldstone.cli;

import io.fieldstone.faults.Faults;
import io.fieldstone.faults.Faults.Effect;
import io.fieldstone.faults.Faults.Kind;
import io.fieldstone.faults.Faults.Operation;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.logging.LogManager;
import java.util.stream.Stream;

/**
 * Runs commands in a JVM whose default file system is {@link io.fieldstone.faults}, once for each
 * operation that changes the disk: the process ends there, or the operation fails. Ends with status
 * 1 at the first state that must not be. {@link FaultTest} starts it.
 */
public final class FaultDriver {

  private static final String[] QUIET = {"-q", "--engine", "cpu:scalar", "--threads", "2"};
  private static final String IDENTITY = "unix:mode,uid,gid";

  private final Path root;
  private final Faults faults = Faults.ofThisJvm();
  private int directories;

  private FaultDriver(Path root) {
    this.root = root;
  }

  /**
   * A command.
   *
   * @param name of the scenario
   * @param setup makes inputs and old outputs in a directory
   * @param run runs the command there
   * @param isTogether whether all outputs are replaced together
   */
  public record Scenario(String name, Setup setup, Run run, boolean isTogether) {}

  @FunctionalInterface
  public interface Setup {
    void in(Path directory) throws Exception;
  }

  @FunctionalInterface
  public interface Run {
    RunOf in(Path directory) throws Exception;
  }

  /** A file's content, and whose it is; or a link, and where to. */
  private record State(String content, Map<String, Object> identity) {}

  public static void main(String[] args) throws Exception {
    check(Path.of(args[0]), scenarios());
  }

  /** Checks scenarios in an empty directory. Call once per process. */
  public static void check(Path root, List<Scenario> scenarios) throws Exception {
    LogManager.getLogManager().reset();
    FaultDriver driver = new FaultDriver(root);
    System.setProperty("java.io.tmpdir", Files.createDirectory(root.resolve("tmp")).toString());
    for (Scenario scenario : scenarios) {
      driver.check(scenario);
    }
  }

  private static List<Scenario> scenarios() {
    return List.of(
        new Scenario("encode into a new directory", FaultDriver::source, encode("4"), true),
        new Scenario(
            "encode over more shards",
            directory -> {
              source(directory);
              require(encode("6").in(directory));
              byte[] other = bytes(30_000, 7);
              Files.write(directory.resolve("data"), other);
              own(directory.resolve("shards/data.01.fst"));
            },
            encode("4"),
            true),
        new Scenario(
            "encrypt into a new directory",
            directory -> {
              source(directory);
              Path key =
                  Files.writeString(directory.resolve("key"), MasterKey.of(new byte[32]).toText());
              Files.setAttribute(key, "unix:mode", 0600);
            },
            command("encode S/data -o S/shards --force --shards 3 --seed 1 --encrypt S/key"),
            true),
        new Scenario(
            "a list of checksums over another",
            directory -> own(Files.writeString(directory.resolve("sums"), "old")),
            command("crc --cksum -o S/sums"), // of nothing, whose line has no name of a file
            true),
        new Scenario(
            "the best polynomials over an old list",
            directory -> own(Files.writeString(directory.resolve("best.csv"), "old")),
            command("crc --best 8 --length 4 --hd 6 -o S/best.csv"),
            true),
        new Scenario(
            "the code of a checksum over an old one",
            directory -> own(Files.writeString(directory.resolve("crc.c"), "old")),
            command("crc --emit c -a CRC-8/SMBUS -o S/crc.c"),
            true),
        new Scenario(
            "a file with a chosen checksum in its place",
            directory -> {
              source(directory);
              own(directory.resolve("data"));
            },
            command("crc --force deadbeef --at 100 --in-place S/data"),
            true),
        new Scenario("decode a new file", FaultDriver::shards, decode(), true),
        new Scenario(
            "decode over a file",
            directory -> {
              shards(directory);
              own(Files.write(directory.resolve("copy"), bytes(5000, 3)));
            },
            decode(),
            true),
        new Scenario(
            "recode over a shard",
            directory -> {
              shards(directory);
              own(Files.write(directory.resolve("new.fst"), bytes(5000, 3)));
            },
            command(
                "recode S/shards/data.00.fst S/shards/data.01.fst -o S/new.fst --force --seed 1"),
            true),
        new Scenario("protect into a new directory", FaultDriver::source, protect("2"), true),
        new Scenario(
            "protect over more volumes",
            directory -> {
              source(directory);
              require(protect("3").in(directory));
              write(directory.resolve("data"), bytes(30_000, 7));
              own(directory.resolve("parity/parity.01.fsp"));
            },
            protect("2"),
            true),
        new Scenario(
            "protect new and changed files in a further layer",
            directory -> {
              source(directory);
              write(directory.resolve("more"), bytes(9000, 6));
              require(update().in(directory));
              write(directory.resolve("more"), bytes(9100, 7));
            },
            update(),
            true),
        new Scenario(
            "protect a weak layer again",
            directory -> {
              source(directory);
              write(directory.resolve("more"), bytes(20_000, 6));
              require(update().in(directory));
              write(directory.resolve("more"), bytes(20_100, 7));
            },
            update(),
            true),
        new Scenario(
            "repair missing files",
            directory -> {
              protectedFolder(directory);
              Files.delete(directory.resolve("folder/one"));
              Files.delete(directory.resolve("folder/two"));
            },
            command("repair S/parity"),
            true),
        new Scenario(
            "repair a missing volume",
            directory -> {
              protectedFolder(directory);
              Files.delete(directory.resolve("parity/parity.00.fsp"));
            },
            command("repair S/parity"),
            true),
        new Scenario(
            "sort a file into itself",
            directory -> own(Files.write(directory.resolve("keys"), bytes(8000, 2))),
            command("sort S/keys -o S/keys --type u32 --verify"),
            true),
        new Scenario(
            "sort a file that several threads write",
            directory -> own(Files.write(directory.resolve("pairs"), pairs(70_000))),
            directory -> {
              String pairs = directory.resolve("pairs").toString();
              String options = "--type u32 --payload 4 -q --engine cpu --threads 4";
              return RunOf.fieldstone(
                  Stream.concat(
                          Stream.of("sort", pairs, "-o", pairs), Arrays.stream(options.split(" ")))
                      .toArray(String[]::new));
            },
            true),
        new Scenario(
            "sort a file by runs through a link",
            directory -> {
              Files.write(directory.resolve("keys"), bytes(200_000, 2));
              Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
              own(Files.write(elsewhere.resolve("sorted"), bytes(100, 3)));
              Files.createSymbolicLink(directory.resolve("link"), Path.of("elsewhere/sorted"));
            },
            directory -> {
              String sort = "sort S/keys -o S/link --type u32 --memory ";
              return command(sort + minMemory(directory)).in(directory);
            },
            true),
        new Scenario(
            "weights with a plot",
            directory -> {
              own(Files.writeString(directory.resolve("w.csv"), "old"));
              own(Files.writeString(directory.resolve("w.svg"), "old"));
            },
            command("weights hamming:3 -o S/w.csv --plot S/w.svg"),
            false),
        new Scenario(
            "relays with a map and stars",
            directory -> {
              Files.writeString(directory.resolve("f.csv"), "id,x,y\na,0,0\nb,60,0\nc,30,52\n");
              own(Files.writeString(directory.resolve("plan.csv"), "old"));
              own(Files.writeString(directory.resolve("stars"), "old"));
            },
            command("relays S/f.csv --range 50 -o S/plan.csv --map S/map.svg --stars S/stars"),
            false));
  }

  private static void source(Path directory) throws IOException {
    write(directory.resolve("data"), bytes(40_000, 1));
  }

  /** Writes a file that always has the same time, which is part of a set. */
  private static void write(Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_500_000_000_000L));
  }

  private static void shards(Path directory) throws Exception {
    source(directory);
    require(encode("2").in(directory));
  }

  /** Old outputs have a mode and an owner that no new file has. */
  public static void own(Path file) throws IOException {
    Files.setAttribute(file, "unix:mode", 0640);
    try {
      Files.setAttribute(file, "unix:uid", 4711);
      Files.setAttribute(file, "unix:gid", 4712);
    } catch (IOException _) {
      // This user is not root, and so keeps his own.
    }
  }

  /** Encodes generations enough for several threads. */
  private static Run encode(String shards) {
    return command(
        "encode S/data -o S/shards --force --redundancy 1 --code dense --seed 1 --generation 4"
            + " --block-size 1024 --shards "
            + shards);
  }

  /** Protects by generations enough for several threads. */
  private static Run protect(String volumes) {
    return command(
        "protect S/data -o S/parity --force --redundancy 0.5 --generation 8 --block-size 1024"
            + " --volumes "
            + volumes);
  }

  /** Protects two files, or what is new of them. */
  private static Run update() {
    return command(
        "protect S/data S/more -o S/parity --update --redundancy 0.5 --generation 8"
            + " --block-size 1024 --volumes 2");
  }

  private static void protectedFolder(Path directory) throws Exception {
    source(directory);
    Files.createDirectory(directory.resolve("folder"));
    write(directory.resolve("folder/one"), bytes(3000, 5));
    write(directory.resolve("folder/two"), bytes(2000, 6));
    require(
        command("protect S/data S/folder -o S/parity --redundancy 0.5 --block-size 1024")
            .in(directory));
  }

  private static Run decode() {
    return command("decode S/shards/data.00.fst S/shards/data.01.fst -o S/copy --force");
  }

  /** Returns the minimum memory of a sort, from the error for too little. */
  private static String minMemory(Path directory) throws Exception {
    RunOf refused = command("sort S/keys -o /dev/null --type u32 --memory 1").in(directory);
    return refused.err().replaceAll("(?s).*the minimum is (\\d+).*", "$1");
  }

  /** A command line in which S stands for the directory. */
  private static Run command(String line) {
    return directory ->
        RunOf.fieldstone(
            Stream.concat(
                    Arrays.stream(line.split(" "))
                        .map(word -> word.startsWith("S/") ? directory + word.substring(1) : word),
                    Arrays.stream(QUIET))
                .toArray(String[]::new));
  }

  private static void require(RunOf run) {
    if (run.status() != 0) {
      throw new AssertionError(run.toString());
    }
  }

  private static byte[] bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Returns random records of 8 bytes, whose keys have one of 8 values. */
  private static byte[] pairs(int count) {
    byte[] bytes = bytes(8 * count, 4);
    for (int i = 0; i < count; i++) {
      bytes[8 * i] &= 7;
      Arrays.fill(bytes, 8 * i + 1, 8 * i + 4, (byte) 0);
    }
    return bytes;
  }

  private void check(Scenario scenario) throws Exception {
    Path reference = prepare(scenario);
    final Map<String, State> before = states(reference);
    faults.begin(root, Effect.ERROR, Long.MAX_VALUE);
    require(scenario.run.in(reference));
    List<Operation> operations = faults.done();
    faults.end();
    Map<String, State> after = states(reference);
    requireOrder(scenario, operations);
    for (int n = 1; n <= operations.size(); n++) {
      for (Effect effect : List.of(Effect.STOP, Effect.ERROR)) {
        Attempt attempt = new Attempt(scenario, before, after, effect, n);
        try {
          attempt.run(prepare(scenario));
        } catch (AssertionError | Exception e) {
          throw new AssertionError(
              "%s, %s at operation %d of %d, %s"
                  .formatted(scenario.name, effect, n, operations.size(), attempt.struck),
              e);
        }
      }
    }
    System.out.printf("%s: %d operations%n", scenario.name, operations.size());
  }

  private Path prepare(Scenario scenario) throws Exception {
    Path directory = Files.createDirectory(root.resolve("run" + directories++));
    scenario.setup.in(directory);
    return directory;
  }

  /** A run of a scenario in which something happens to one operation. */
  private final class Attempt {
    private final Scenario scenario;
    private final Map<String, State> before;
    private final Map<String, State> after;
    private final Effect effect;
    private final int number;
    private Optional<Operation> struck = Optional.empty();

    Attempt(
        Scenario scenario,
        Map<String, State> before,
        Map<String, State> after,
        Effect effect,
        int number) {
      this.scenario = scenario;
      this.before = before;
      this.after = after;
      this.effect = effect;
      this.number = number;
    }

    void run(Path directory) throws Exception {
      faults.begin(root, effect, number);
      RunOf run = scenario.run.in(directory);
      struck = faults.struck();
      faults.end();

      requireOldOrNew(directory);
      if (effect == Effect.ERROR) {
        requireHonest(run, directory);
      }
      if (scenario.isTogether) {
        if (effect == Effect.STOP) {
          recover(directory);
        }
        requireAllOldOrAllNew(directory);
      }
      require(scenario.run.in(directory));
      requireEqual(after, states(directory));
      if (Files.list(root.resolve("tmp")).findAny().isPresent()) {
        // A scratch file has a name for a moment: the next job there removes it.
        require(scenario.run.in(directory));
      }
    }

    private void recover(Path directory) throws IOException {
      try (Stream<Path> all = Files.walk(directory)) {
        all.filter(Files::isDirectory).toList().forEach(Temporaries::recover);
      }
    }

    /** Every output is there if it was, whole, with the mode and the owner that it had. */
    private void requireOldOrNew(Path directory) throws IOException {
      Map<String, State> now = states(directory);
      Set<String> names = new HashSet<>(before.keySet());
      names.addAll(after.keySet());
      for (String name : names) {
        State state = now.get(name);
        boolean isOld = state == null ? !before.containsKey(name) : state.equals(before.get(name));
        boolean isNew = state == null ? !after.containsKey(name) : state.equals(after.get(name));
        if (!isOld && !isNew) {
          throw new AssertionError(name + " is neither old nor new: " + state);
        }
      }
      for (String name : now.keySet()) {
        if (!names.contains(name) && !name.contains(".fieldstone-")) {
          throw new AssertionError("nothing makes " + name);
        }
      }
    }

    /** Checks: status 0 if and only if all files are new; one error line; no files are left. */
    private void requireHonest(RunOf run, Path directory) throws IOException {
      Map<String, State> now = states(directory);
      boolean isOfDelete = struck.isPresent() && struck.get().kind() == Kind.DELETE;
      if (!isOfDelete && now.keySet().stream().anyMatch(name -> name.contains(".fieldstone-"))) {
        throw new AssertionError("left: " + now.keySet());
      }
      now.keySet().removeIf(name -> name.contains(".fieldstone-"));
      if (run.status() == 0) {
        requireEqual(after, now);
      } else if (scenario.isTogether && now.equals(after) && !run.err().contains("is in place")) {
        throw new AssertionError("all is new, and yet: " + run.err());
      } else if (!run.err().strip().matches("(fieldstone: )?[^\n]+")
          || run.err().contains("internal")) {
        throw new AssertionError("not a line: " + run.err());
      }
    }

    private void requireAllOldOrAllNew(Path directory) throws IOException {
      Map<String, State> now = states(directory);
      now.keySet().removeIf(name -> name.contains(".fieldstone-"));
      now.keySet().removeIf(name -> isEmptyDirectoryOfNew(directory, name));
      if (!now.equals(before) && !now.equals(after)) {
        throw new AssertionError("some are old and some are new: " + now.keySet());
      }
    }

    /** A process that is killed cannot remove the directory that it made. */
    private boolean isEmptyDirectoryOfNew(Path directory, String name) {
      return effect == Effect.STOP
          && !before.containsKey(name)
          && after.get(name).content.equals("directory")
          && !contains(directory, name);
    }

    private static boolean contains(Path directory, String name) {
      try (Stream<Path> files = Files.list(directory.resolve(name))) {
        return files.anyMatch(file -> !file.toString().contains(".fieldstone-"));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void requireEqual(Map<String, State> expected, Map<String, State> actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError("expected " + expected + ", found " + actual);
    }
  }

  private static Map<String, State> states(Path directory) throws IOException {
    Map<String, State> states = new TreeMap<>();
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.filter(file -> !file.equals(directory)).toList();
    }
    for (Path file : files) {
      String content;
      if (Files.isSymbolicLink(file)) {
        content = "link to " + Files.readSymbolicLink(file);
      } else if (Files.isDirectory(file)) {
        content = "directory";
      } else {
        byte[] bytes = Files.readAllBytes(file);
        content = bytes.length + " bytes, " + Arrays.hashCode(bytes);
      }
      Map<String, Object> identity =
          Files.readAttributes(file, IDENTITY, LinkOption.NOFOLLOW_LINKS);
      states.put(
          directory.relativize(file).toString(), new State(content, new TreeMap<>(identity)));
    }
    return states;
  }

  /**
   * Before a file is moved its bytes have been forced since they were last written. Before the
   * first of several is moved, so have the list of them in the journal, its name, and the further
   * names of the old files. At the end, directories whose names were changed have been forced.
   */
  private static void requireOrder(Scenario scenario, List<Operation> operations) {
    Set<Path> unforced = new HashSet<>();
    Set<Path> changed = new HashSet<>();
    Set<Path> notUndoable = new HashSet<>();
    List<String> wrong = new ArrayList<>();
    int moves = 0;
    for (Operation operation : operations) {
      Path file = operation.file();
      switch (operation.kind()) {
        case WRITE -> {
          if (!isLock(file)) {
            unforced.add(file);
          }
          if (isJournal(file)) {
            notUndoable.add(file.getParent());
          }
        }
        case FORCE -> {
          unforced.remove(file);
          changed.remove(file);
          notUndoable.remove(file);
        }
        case LINK -> notUndoable.add(file.getParent());
        case MAKE_DIRECTORY -> changed.add(file.getParent());
        case MOVE -> {
          moves++;
          if (unforced.contains(file) || unforced.stream().anyMatch(FaultDriver::isJournal)) {
            wrong.add(unforced + " are not forced before " + file + " is moved");
          }
          if (!notUndoable.isEmpty()) {
            wrong.add(notUndoable + " are not forced before " + file + " is moved");
          }
          changed.add(file.getParent());
        }
        case DELETE -> {
          // That temporary files are deleted need not last, nor that journals are which are empty.
          if (!isOfJob(file) || unforced.contains(file)) {
            changed.add(file.getParent());
          }
        }
        case CREATE, ATTRIBUTE -> {
          // Not durable by itself.
        }
      }
    }
    if (moves == 0) {
      wrong.add("nothing is moved");
    }
    changed.forEach(directory -> wrong.add(directory + " is not forced at the end"));
    if (!wrong.isEmpty()) {
      throw new AssertionError(scenario.name + ": " + wrong);
    }
  }

  private static boolean isJournal(Path file) {
    return isOfJob(file) && file.toString().endsWith(".journal");
  }

  /** Returns true for a file whose content and name need not last. */
  private static boolean isLock(Path file) {
    return isOfJob(file) && file.toString().endsWith(".lock");
  }

  private static boolean isOfJob(Path file) {
    return file.getFileName().toString().startsWith(".fieldstone-");
  }
}
