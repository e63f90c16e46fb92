package io.fieldstone.cli;

import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.sort.FileCheck;
import io.fieldstone.sort.FileSorter;
import io.fieldstone.sort.RecordCheck;
import io.fieldstone.sort.SortListener;
import io.fieldstone.sort.SortResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Runs {@code fieldstone sort}: sorts files of binary records by their keys. */
@Command(
    name = "sort",
    sortOptions = false,
    customSynopsis = {
      "fieldstone sort IN -o OUT --type TYPE [OPTION]...",
      "fieldstone sort IN --check --type TYPE [OPTION]...",
    },
    description = {
      "Sort a file of binary records by their keys, or check that one is sorted.",
      "",
      "A record is a little-endian key followed by --payload bytes, which move with the key; there"
          + " is no padding between records. Sorting is stable, and the file may be larger than"
          + " memory. OUT may be IN; it is replaced only after the sort succeeds.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone sort keys.bin -o sorted.bin --type u32",
      "  fieldstone sort pairs.bin -o pairs.bin --type i64 --payload 8 --verify",
      "  fieldstone sort big.bin -o out.bin --type f32 --memory 1G --temp /scratch",
      "  fieldstone sort out.bin --check --type f32    check the order",
    })
final class SortCommand implements Callable<Integer> {

  /** The fraction of the maximum heap for records; the rest is for working buffers of threads. */
  private static final double MEMORY_FRACTION = 0.75;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "IN", description = "File of records.")
  private Path input = Path.of("");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description = "Sorted file, which may be IN; - for standard output.")
  private @Nullable Path output;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      required = true,
      converter = Type.class,
      completionCandidates = Type.class,
      description =
          "Type of the keys, one of ${COMPLETION-CANDIDATES}: unsigned integers, signed integers or"
              + " floating-point numbers of that many bits. -0 sorts before +0, NaN after all"
              + " numbers.")
  private KeyType type = KeyType.U32;

  @Option(
      names = "--payload",
      paramLabel = "BYTES",
      defaultValue = "0",
      converter = Converters.Size.class,
      description = "Bytes that follow each key (default: ${DEFAULT-VALUE}).")
  private long payload;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      defaultValue = "asc",
      description = "Order of the keys: asc, ascending, or desc, descending (default: asc).")
  private Order order = Order.asc;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description =
          "Memory for sorting; a file that needs more is sorted in runs, which are merged from a"
              + " temporary file (default: three quarters of the maximum heap).")
  private long memory = (long) (MEMORY_FRACTION * Runtime.getRuntime().maxMemory());

  @Option(
      names = "--temp",
      paramLabel = "DIR",
      description =
          "Directory of the temporary file, if one is needed (default: the directory of OUT).")
  private Optional<Path> temporary = Optional.empty();

  @Option(
      names = "--method",
      paramLabel = "NAME",
      description =
          "Sorting method of the engine: auto (the default); on the cores comparison, lsd, msd-lsd;"
              + " on a GPU serial, lsd, msd-lsd, streamed, packed. An unknown NAME lists the"
              + " methods.")
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

  /** The values of {@code --order}. */
  enum Order {
    /** The smallest key comes first. */
    asc(Direction.ASCENDING),

    /** The largest key comes first. */
    desc(Direction.DESCENDING);

    private final Direction direction;

    Order(Direction direction) {
      this.direction = direction;
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Session session = Session.of(spec);
    RecordFormat format =
        new RecordFormat(
            type,
            Converters.requireSizeInRange(
                spec, "--payload", payload, 0, RecordFormat.MAX_PAYLOAD_BYTES),
            order.direction);
    if (check) {
      if (output != null || verifies) {
        throw session.usage("--check excludes -o and --verify");
      }
      return check(session, format);
    }
    if (output == null) {
      throw session.usage("missing required option: '--output=OUT' (or --check)");
    }
    return sort(session, format, output);
  }

  private int check(Session session, RecordFormat format)
      throws IOException, InterruptedException, Failure {
    requireFile(session);
    RecordCheck found;
    try (Passes passes = new Passes(session)) {
      found = FileCheck.of(format).withThreads(session.threads()).check(input, passes);
    }
    session.print(Checked.of(input, found), () -> text(format, found));
    OptionalLong wrong = found.outOfOrder();
    if (wrong.isPresent()) {
      throw new Failure(
          "record %d, at byte %d, is out of order"
              .formatted(wrong.getAsLong(), wrong.getAsLong() * format.bytes()),
          input);
    }
    return ExitCode.OK;
  }

  private int sort(Session session, RecordFormat format, Path target)
      throws IOException, InterruptedException, Failure {
    requireFile(session);
    boolean isStream = InputFiles.isStandardOutput(target);
    session.requireOneOnStandardOutput("-o", isStream);
    InputFiles.requireWritable(InputFiles.target(target));
    for (Path directory : temporary.stream().toList()) {
      requireDirectory(directory);
    }
    try (Engine engine = session.openCores()) {
      Sorting sorting = sorting(session, engine, format);
      FileSorter sorter =
          FileSorter.of(engine, sorting, memory).withPhaseListener(session.phases());
      if (temporary.isPresent()) {
        sorter = sorter.withScratchIn(temporary.orElseThrow());
      }
      SortResult result;
      try (Passes passes = new Passes(session)) {
        result =
            (verifies ? sorter.verifying() : sorter).sort(input, InputFiles.target(target), passes);
      }
      session.printProfile(result.profile());
      if (!isStream) {
        session.print(
            Sorted.of(input, target, sorting, result), () -> text(target, sorting, result, engine));
      }
      return ExitCode.OK;
    }
  }

  private void requireFile(Session session) throws IOException, Failure {
    if (InputFiles.isStandardStream(input)) {
      throw session.usage("the input must be a file: standard input cannot be read twice");
    }
    InputFiles.requireReadable(input);
  }

  private static void requireDirectory(Path directory) throws Failure {
    if (!Files.isDirectory(directory)) {
      throw new Failure(
          Files.exists(directory) ? "not a directory" : "no such directory", directory);
    }
    if (!Files.isWritable(directory)) {
      throw new Failure("permission denied", directory);
    }
  }

  private Sorting sorting(Session session, Engine engine, RecordFormat format) {
    try {
      return method == null || method.equals(Methods.AUTO)
          ? engine.sorts().sorting(format)
          : engine.sorts().sorting(format, method);
    } catch (IllegalArgumentException e) {
      throw session.usage("--method: " + e.getMessage());
    }
  }

  /** The result of sorting as {@code --json} prints it. */
  private record Sorted(
      String input,
      String output,
      String format,
      long records,
      long bytes,
      String method,
      int runs,
      double seconds,
      double keysPerSecond,
      Optional<String> fingerprint) {

    static Sorted of(Path input, Path output, Sorting sorting, SortResult result) {
      return new Sorted(
          input.toString(),
          output.toString(),
          sorting.format().toString(),
          result.records(),
          result.bytes(),
          sorting.method(),
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

  private String text(Path target, Sorting sorting, SortResult result, Engine engine) {
    String memoryUse =
        result.runs() == 1
            ? "in memory"
            : "merged from %s in %s of memory"
                .formatted(ShardText.plural(result.runs(), "run"), Units.bytes(memory));
    String verified =
        result.fingerprint().isPresent()
            ? "verified: in order, same records, fingerprint %s%n"
                .formatted(hex(result.fingerprint().getAsLong()))
            : "";
    return """
    %s: %s of %s, %s
    method %s, %s
    %s%s, %s keys/s, %s
    """
        .formatted(
            target,
            ShardText.plural(result.records(), "record"),
            sorting.format(),
            Units.bytes(result.bytes()),
            sorting.method(),
            memoryUse,
            verified,
            ShardText.took(result.bytes(), result.seconds()),
            Units.scaled(result.keysPerSecond()),
            engine.summary());
  }

  private String text(RecordFormat format, RecordCheck found) {
    return """
    %s: %s of %s, %s
    fingerprint %s
    """
        .formatted(
            input,
            ShardText.plural(found.records(), "record"),
            format,
            found.outOfOrder().isEmpty() ? "in order" : "not in order",
            hex(found.fingerprint()));
  }

  private static String hex(long fingerprint) {
    return "%016x".formatted(fingerprint);
  }

  /** Converts the name of a key type. */
  static final class Type implements ITypeConverter<KeyType>, Iterable<String> {
    @Override
    public KeyType convert(String name) {
      try {
        return KeyType.of(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(KeyType.values()).map(KeyType::toString).iterator();
    }
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
