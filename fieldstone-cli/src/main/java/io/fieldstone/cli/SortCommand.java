package io.fieldstone.cli;

import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.MethodNames;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.StandardInput;
import io.fieldstone.cli.console.SystemMemory;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.sort.FileCheck;
import io.fieldstone.sort.FileSorter;
import io.fieldstone.sort.NpyHeader;
import io.fieldstone.sort.RecordCheck;
import io.fieldstone.sort.RecordLayout;
import io.fieldstone.sort.SortListener;
import io.fieldstone.sort.SortResult;
import io.fieldstone.stream.file.FileErrors;
import io.fieldstone.stream.file.Temporaries;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs {@code fieldstone sort}: sorts files of binary records by their keys. */
@Command(
    name = "sort",
    sortOptions = false,
    customSynopsis = {
      "fieldstone sort IN -o OUT --type TYPE [OPTION]...",
      "       fieldstone sort IN -o OUT --key KEY[,KEY]... --record BYTES [OPTION]...",
      "       fieldstone sort IN.npy -o OUT.npy [OPTION]...",
      "       fieldstone sort --merge IN... -o OUT --type TYPE [OPTION]...",
      "       fieldstone sort IN --check --type TYPE [OPTION]...",
    },
    description = {
      "Sort a file of binary records by their keys, or check that one is sorted.",
      "",
      "A record is a little-endian number, its key, followed by --payload bytes, which move with"
          + " the key. --key-offset, --big-endian and --record describe other records, and --key"
          + " those with strings of bytes as keys, or with several. There is no padding between"
          + " records. Sorting is stable, and the file may be larger than memory. OUT may be IN; it"
          + " is replaced only after the sort succeeds.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone sort keys.bin -o sorted.bin --type u32",
      "  fieldstone sort pairs.bin -o pairs.bin --type i64 --payload 8 --verify",
      "  fieldstone sort log.bin -o log.bin --type u64 --key-offset 4 --record 64",
      "  fieldstone sort gensort.bin -o out.bin --key 0:10 --record 100",
      "  fieldstone sort pairs.bin -o out.bin --key i32@0,u32@4:desc --record 8",
      "  fieldstone sort hashes.bin -o best.bin --key 0:20 --record 24 --top 1000",
      "  fieldstone sort x.npy --argsort -o order.npy",
      "  fieldstone sort --merge a.bin b.bin -o both.bin --type u64",
      "  fieldstone sort big.bin -o out.bin --type f32 --memory 1G --temp /scratch",
      "  fieldstone sort out.bin --check --type f32    check the order",
    })
final class SortCommand implements Callable<Integer> {

  /**
   * The bytes at the start of a file that are searched for text, and the minimum number of bytes to
   * decide by.
   */
  private static final int TEXT_BYTES = 1 << 12;

  private static final int MIN_TEXT_BYTES = 16;

  private static final int DELETE = 0x7F;

  private static final String NPY = ".npy";

  private static final String STANDARD_INPUT = "standard input";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "IN",
      arity = "1..*",
      description =
          "File of records, or - for standard input; .npy is an array of NumPy. Several with"
              + " --merge.")
  private List<Path> inputs = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description =
          "Sorted file, which may be IN; - for standard output, and .npy for an array of NumPy.")
  private @Nullable Path output;

  @Mixin private SortKeyOptions keys = new SortKeyOptions();

  @Option(
      names = {"-u", "--unique"},
      description = "Of records with equal keys, keep only the first.")
  private boolean isUnique;

  @Option(
      names = "--top",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Keep only the first N records of the result, found in one pass if N is small.")
  private Optional<Long> top = Optional.empty();

  @Option(
      names = {"-m", "--merge"},
      description = "Merge the files IN, which are sorted already.")
  private boolean merges;

  @Option(
      names = "--argsort",
      description =
          "Write, instead of records, the index of each in IN, from 0: little-endian integers of 64"
              + " bits.")
  private boolean isArgsort;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description =
          "Memory for sorting; a file that needs more is sorted in runs, which are merged from a"
              + " temporary file (default: three eighths of the machine's memory, at most half of"
              + " what is available).")
  private Optional<Long> memory = Optional.empty();

  @Option(
      names = "--temp",
      paramLabel = "DIR",
      description =
          "Directory of the temporary file, if one is needed (default: the directory of OUT).")
  private Optional<Path> temporary = Optional.empty();

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      completionCandidates = SortMethods.class,
      description =
          "Sorting method of the engine: auto (the default); on the cores comparison, lsd, msd-lsd;"
              + " on a GPU serial, lsd, msd-lsd, streamed, packed.")
  private @Nullable String method;

  @Option(
      names = "--verify",
      description =
          "Read the result back before OUT is replaced, and check its order and, by a 64-bit"
              + " fingerprint, that it has the same records.")
  private boolean verifies;

  @Option(
      names = {"-c", "--check"},
      description = "Do not sort; check whether IN is in order, and print its fingerprint.")
  private boolean check;

  /** The values of {@code --method}. */
  static final class SortMethods extends MethodNames {
    SortMethods() {
      super(engine -> engine.sorts().methods(RecordFormat.of(KeyType.U32)));
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    if (check) {
      if (output != null
          || verifies
          || method != null
          || memory.isPresent()
          || temporary.isPresent()
          || isUnique
          || top.isPresent()
          || merges
          || isArgsort) {
        throw session.usage("--check excludes the options of sorting, and -o");
      }
      requireOneInput(session, "--check checks one file");
      return check(session, inputs.getFirst());
    }
    if (output == null) {
      throw session.usage("missing required option: '--output=OUT' (or --check)");
    }
    if (isArgsort && (verifies || isUnique || merges)) {
      throw session.usage("--argsort excludes --verify, --unique and --merge");
    }
    if (merges && method != null) {
      throw session.usage("--merge compares records, and excludes --method");
    }
    if (!merges) {
      requireOneInput(session, "several files are only merged (--merge)");
    }
    return sort(session, output);
  }

  private void requireOneInput(Session session, String rule) {
    if (inputs.size() > 1) {
      throw session.usage("%s, not %d".formatted(rule, inputs.size()));
    }
  }

  private static boolean isNpy(Path file) {
    return InputFiles.hasEnding(file, NPY);
  }

  /** Returns the records of all inputs, after checking that these are files. */
  private RecordLayout layout(Session session) throws IOException, Failure {
    for (Path input : inputs) {
      boolean isStream = InputFiles.isStandardStream(input);
      if (isStream && (merges || check)) {
        throw session.usage(
            "standard input is sorted only, without --merge and --check: give a file");
      }
      if (!isStream) {
        if (isNpy(input) != isNpy(inputs.getFirst())) {
          throw session.usage(
              "%s and %s: either all files are .npy, or none".formatted(inputs.getFirst(), input));
        }
      }
    }
    if (!isNpy(inputs.getFirst())) {
      RecordLayout layout = keys.layout(session);
      requireFiles();
      return layout;
    }
    requireFiles();
    return keys.layout(session, NpyHeader.read(inputs.getFirst()));
  }

  private void requireFiles() throws IOException, Failure {
    for (Path input : inputs) {
      if (!InputFiles.isStandardStream(input)) {
        InputFiles.requireReadable(input);
      }
    }
  }

  private int check(Session session, Path input) throws IOException, InterruptedException, Failure {
    RecordLayout layout = layout(session);
    requireNoText(input, layout);
    FileCheck checked = FileCheck.of(layout).withThreads(session.threads());
    long headerBytes = 0;
    if (isNpy(input)) {
      headerBytes = NpyHeader.read(input).headerBytes();
      checked = checked.ofNpy();
    }
    RecordCheck found;
    try (Passes passes = new Passes(session)) {
      found = checked.check(input, passes);
    }
    session.print(Checked.of(input, found), () -> text(input, layout, found));
    OptionalLong wrong = found.outOfOrder();
    if (wrong.isPresent()) {
      throw new Failure(
          "record %d, at byte %d, is out of order"
              .formatted(wrong.getAsLong(), headerBytes + wrong.getAsLong() * layout.recordBytes()),
          input);
    }
    return ExitCode.OK;
  }

  private int sort(Session session, Path target) throws IOException, InterruptedException, Failure {
    RecordLayout layout = layout(session);
    boolean isStream = InputFiles.isStandardOutput(target);
    session.requireOneOnStandardOutput("-o", isStream);
    InputFiles.requireWritable(InputFiles.target(target));
    for (Path directory : temporary.stream().toList()) {
      requireDirectory(directory);
    }
    try (Engine engine = session.openCores()) {
      long bytes = memory.orElseGet(SystemMemory::jobBytes);
      FileSorter sorter = sorter(session, engine, layout, target, bytes);
      SortResult result;
      try (Passes passes = new Passes(session)) {
        result = sort(session, sorter, layout, InputFiles.target(target), passes);
      }
      session.printProfile(result.profile());
      if (!isStream) {
        session.print(
            Sorted.of(inputs, target, layout, sorter.method(), result),
            () -> text(target, layout, sorter.method(), bytes, result, engine));
      }
      return ExitCode.OK;
    }
  }

  private SortResult sort(
      Session session, FileSorter sorter, RecordLayout layout, Path target, Passes passes)
      throws IOException, InterruptedException, Failure {
    Path input = inputs.getFirst();
    if (InputFiles.isStandardStream(input)) {
      InputStream in =
          new BufferedInputStream(new StandardInput(session.streams().in()), TEXT_BYTES);
      in.mark(TEXT_BYTES);
      requireNoText(in.readNBytes(TEXT_BYTES), STANDARD_INPUT, layout);
      in.reset();
      return sorter.sort(in, STANDARD_INPUT, target, passes);
    }
    for (Path each : inputs) {
      requireNoText(each, layout);
    }
    return merges ? sorter.merge(inputs, target, passes) : sorter.sort(input, target, passes);
  }

  /**
   * Refuses a file that begins with text: it fits the size of a record by chance, and no program
   * could read it after the sort.
   */
  private void requireNoText(Path input, RecordLayout layout) throws IOException, Failure {
    if (keys.refusesText()) {
      try (InputStream in = Files.newInputStream(input)) {
        byte[] start = FileErrors.naming(input, () -> in.readNBytes(TEXT_BYTES));
        requireNoText(start, input, layout);
      }
    }
  }

  private void requireNoText(byte[] start, Object input, RecordLayout layout) throws Failure {
    boolean isText = keys.refusesText() && start.length >= MIN_TEXT_BYTES;
    for (byte each : start) {
      isText &= each >= ' ' && each < DELETE || each == '\n' || each == '\r' || each == '\t';
    }
    if (isText) {
      throw new Failure(
          "looks like text, not like records of %s; --allow-text sorts it nevertheless"
              .formatted(layout),
          input);
    }
  }

  private static void requireDirectory(Path directory) throws IOException, Failure {
    if (!Files.isDirectory(directory)) {
      throw new Failure(
          Files.exists(directory) ? "not a directory" : "no such directory", directory);
    }
    Temporaries.requireWritableDirectory(directory);
  }

  private FileSorter sorter(
      Session session, Engine engine, RecordLayout layout, Path target, long bytes) {
    try {
      FileSorter sorter =
          method == null || method.equals(Methods.AUTO)
              ? FileSorter.of(engine, layout, bytes)
              : FileSorter.of(engine, layout, method, bytes);
      sorter = sorter.withPhaseListener(session.phases());
      sorter = temporary.isPresent() ? sorter.withScratchIn(temporary.get()) : sorter;
      sorter = verifies ? sorter.verifying() : sorter;
      sorter = isUnique ? sorter.distinct() : sorter;
      sorter = top.isPresent() ? sorter.first(top.get()) : sorter;
      sorter = isArgsort ? sorter.argsorting() : sorter;
      sorter = isNpy(inputs.getFirst()) ? sorter.fromNpy() : sorter;
      return isNpy(target) ? sorter.toNpy() : sorter;
    } catch (IllegalArgumentException e) {
      String option = String.valueOf(e.getMessage()).startsWith("no method") ? "--method: " : "";
      throw session.usage(option + e.getMessage());
    }
  }

  /** The result of sorting as {@code --json} prints it. */
  private record Sorted(
      List<String> inputs,
      String output,
      String format,
      long records,
      long written,
      long bytes,
      String method,
      List<String> methodsTaken,
      int runs,
      double seconds,
      double keysPerSecond,
      Optional<String> fingerprint) {

    static Sorted of(
        List<Path> inputs, Path output, RecordLayout layout, String method, SortResult result) {
      return new Sorted(
          inputs.stream().map(Path::toString).toList(),
          output.toString(),
          layout.toString(),
          result.records(),
          result.written(),
          result.bytes(),
          method,
          result.methods(),
          result.runs(),
          result.seconds(),
          result.keysPerSecond(),
          result.fingerprint().isPresent()
              ? Optional.of(hex(result.fingerprint().getAsLong()))
              : Optional.empty());
    }
  }

  /** The result of a check as {@code --json} prints it. */
  private record Checked(
      String input,
      long records,
      boolean isInOrder,
      OptionalLong firstOutOfOrder,
      String fingerprint) {

    static Checked of(Path input, RecordCheck found) {
      return new Checked(
          input.toString(),
          found.records(),
          found.outOfOrder().isEmpty(),
          found.outOfOrder(),
          hex(found.fingerprint()));
    }
  }

  private String text(
      Path target,
      RecordLayout layout,
      String named,
      long memoryBytes,
      SortResult result,
      Engine engine) {
    String taken =
        !named.equals(Methods.AUTO) || result.methods().isEmpty()
            ? named
            : "%s (%s)".formatted(named, String.join(", ", result.methods()));
    String memoryUse =
        merges
            ? "merged from %s".formatted(ShardText.plural(inputs.size(), "file"))
            : result.runs() == 1
                ? "method %s, in memory".formatted(taken)
                : "method %s, merged from %s in %s of memory"
                    .formatted(
                        taken, ShardText.plural(result.runs(), "run"), Units.bytes(memoryBytes));
    String kept =
        result.written() == result.records()
            ? ""
            : "%s kept%n".formatted(ShardText.plural(result.written(), "record"));
    String verified =
        result.fingerprint().isPresent()
            ? "verified: in order, same records, fingerprint %s%n"
                .formatted(hex(result.fingerprint().getAsLong()))
            : "";
    return """
    %s: %s of %s, %s
    %s
    %s%s%s, %s keys/s, %s
    """
        .formatted(
            ErrorLine.oneLine(target.toString()),
            isArgsort
                ? "the order of " + ShardText.plural(result.records(), "record")
                : ShardText.plural(result.records(), "record"),
            layout,
            Units.bytes(result.bytes()),
            memoryUse,
            kept,
            verified,
            ShardText.took(result.bytes(), result.seconds()),
            Units.scaled(result.keysPerSecond()),
            engine.summary());
  }

  private static String text(Path input, RecordLayout layout, RecordCheck found) {
    return """
    %s: %s of %s, %s
    fingerprint %s
    """
        .formatted(
            ErrorLine.oneLine(input.toString()),
            ShardText.plural(found.records(), "record"),
            layout,
            found.outOfOrder().isEmpty() ? "in order" : "not in order",
            hex(found.fingerprint()));
  }

  private static String hex(long fingerprint) {
    return "%016x".formatted(fingerprint);
  }

  /** Shows a progress bar for each pass over the records. */
  private static final class Passes implements SortListener, AutoCloseable {
    private final Session session;
    private Optional<Pass> current = Optional.empty();
    private Progress bar = Progress.silent();

    Passes(Session session) {
      this.session = session;
    }

    @Override
    public void progress(Pass pass, long done, long total) {
      if (!current.equals(Optional.of(pass))) {
        bar.close();
        bar = session.progress(pass.toString(), total);
        current = Optional.of(pass);
      }
      bar.accept(done);
    }

    @Override
    public void close() {
      bar.close();
    }
  }
}
