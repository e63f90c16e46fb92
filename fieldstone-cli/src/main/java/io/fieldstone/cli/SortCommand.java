package io.fieldstone.cli;

import io.fieldstone.cli.coding.ShardText;
import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.InputFiles;
import io.fieldstone.cli.console.MethodNames;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.SystemMemory;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.FileCheck;
import io.fieldstone.sort.FileSorter;
import io.fieldstone.sort.RecordCheck;
import io.fieldstone.sort.RecordLayout;
import io.fieldstone.sort.SortListener;
import io.fieldstone.sort.SortResult;
import io.fieldstone.stream.file.FileErrors;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
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
      "       fieldstone sort IN -o OUT --key OFFSET:LENGTH [OPTION]...",
      "       fieldstone sort IN --check --type TYPE [OPTION]...",
    },
    description = {
      "Sort a file of binary records by their keys, or check that one is sorted.",
      "",
      "A record is a little-endian number, its key, followed by --payload bytes, which move with"
          + " the key. --key-offset, --big-endian and --record describe other records, and --key"
          + " those with a string of bytes as key. There is no padding between records. Sorting is"
          + " stable, and the file may be larger than memory. OUT may be IN; it is replaced only"
          + " after the sort succeeds.",
    },
    footer = {
      "",
      "Examples:",
      "  fieldstone sort keys.bin -o sorted.bin --type u32",
      "  fieldstone sort pairs.bin -o pairs.bin --type i64 --payload 8 --verify",
      "  fieldstone sort log.bin -o log.bin --type u64 --key-offset 4 --record 64",
      "  fieldstone sort gensort.bin -o out.bin --key 0:10 --record 100",
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
      converter = Type.class,
      completionCandidates = Type.class,
      description =
          "Type of the keys, one of ${COMPLETION-CANDIDATES}: unsigned integers, signed integers or"
              + " floating-point numbers of that many bits. -0 sorts before +0, NaN after all"
              + " numbers.")
  private @Nullable KeyType type;

  @Option(
      names = "--key",
      paramLabel = "OFFSET:LENGTH",
      description =
          "Instead of --type: keys are LENGTH bytes from byte OFFSET of a record on, compared as"
              + " unsigned bytes.")
  private @Nullable String key;

  @Option(
      names = "--key-offset",
      paramLabel = "BYTES",
      converter = Converters.Size.class,
      description = "With --type: bytes of a record before its key (default: 0).")
  private @Nullable Long keyOffset;

  @Option(names = "--big-endian", description = "With --type: keys are big-endian.")
  private boolean isBigEndian;

  @Option(
      names = "--payload",
      paramLabel = "BYTES",
      converter = Converters.Size.class,
      description = "Bytes that follow each key (default: 0).")
  private @Nullable Long payload;

  @Option(
      names = "--record",
      paramLabel = "BYTES",
      converter = Converters.Size.class,
      description = "Bytes of a record, instead of --payload.")
  private @Nullable Long record;

  @Option(
      names = "--allow-text",
      description = "With --type: also take a file that begins with 4 KiB of printable text.")
  private boolean allowsText;

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
    RecordLayout layout = layout(session);
    if (check) {
      if (output != null
          || verifies
          || method != null
          || memory.isPresent()
          || temporary.isPresent()) {
        throw session.usage("--check excludes -o, --verify, --method, --memory and --temp");
      }
      return check(session, layout);
    }
    if (output == null) {
      throw session.usage("missing required option: '--output=OUT' (or --check)");
    }
    return sort(session, layout, output);
  }

  private RecordLayout layout(Session session) {
    if (type == null && key == null) {
      throw session.usage("missing required option: '--type=TYPE' (or --key)");
    }
    if (type != null && key != null) {
      throw session.usage("--key is a kind of key, and excludes --type");
    }
    if (key != null && (keyOffset != null || isBigEndian || allowsText)) {
      throw session.usage("--key-offset, --big-endian and --allow-text need --type");
    }
    if (payload != null && record != null) {
      throw session.usage("--record includes the payload, and excludes --payload");
    }
    int offset = key == null ? size("--key-offset", keyOffset, 0) : keyPart(session, key, 0, 0);
    RecordLayout.Key kind =
        type == null
            ? new RecordLayout.ByteString(keyPart(session, String.valueOf(key), 1, 1))
            : new RecordLayout.Numeric(
                type, isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    long bytes =
        record == null
            ? (long) offset + kind.bytes() + size("--payload", payload, 0)
            : size("--record", record, 1);
    try {
      return new RecordLayout(
          (int) Math.min(bytes, Integer.MAX_VALUE), offset, kind, order.direction);
    } catch (IllegalArgumentException e) {
      throw session.usage(String.valueOf(e.getMessage()));
    }
  }

  private int size(String option, @Nullable Long value, int min) {
    return Converters.requireSizeInRange(
        spec, option, value == null ? 0 : value, min, RecordLayout.MAX_RECORD_BYTES);
  }

  /** Returns the offset or the length of {@code --key}. */
  private int keyPart(Session session, String text, int part, int min) {
    String[] parts = text.split(":", -1);
    if (parts.length == 2) {
      try {
        return size("--key", new Converters.Size().convert(parts[part]), min);
      } catch (TypeConversionException e) {
        throw session.usage("--key: " + e.getMessage());
      }
    }
    throw session.usage("--key '%s' is not OFFSET:LENGTH".formatted(text));
  }

  private int check(Session session, RecordLayout layout)
      throws IOException, InterruptedException, Failure {
    requireFile(session);
    requireNoText(layout);
    RecordCheck found;
    try (Passes passes = new Passes(session)) {
      found = FileCheck.of(layout).withThreads(session.threads()).check(input, passes);
    }
    session.print(Checked.of(input, found), () -> text(layout, found));
    OptionalLong wrong = found.outOfOrder();
    if (wrong.isPresent()) {
      throw new Failure(
          "record %d, at byte %d, is out of order"
              .formatted(wrong.getAsLong(), wrong.getAsLong() * layout.recordBytes()),
          input);
    }
    return ExitCode.OK;
  }

  private int sort(Session session, RecordLayout layout, Path target)
      throws IOException, InterruptedException, Failure {
    requireFile(session);
    requireNoText(layout);
    boolean isStream = InputFiles.isStandardOutput(target);
    session.requireOneOnStandardOutput("-o", isStream);
    InputFiles.requireWritable(InputFiles.target(target));
    for (Path directory : temporary.stream().toList()) {
      requireDirectory(directory);
    }
    try (Engine engine = session.openCores()) {
      long bytes = memory.orElseGet(SystemMemory::jobBytes);
      FileSorter sorter =
          sorter(session, engine, layout, bytes).withPhaseListener(session.phases());
      if (temporary.isPresent()) {
        sorter = sorter.withScratchIn(temporary.orElseThrow());
      }
      String named = sorter.method();
      SortResult result;
      try (Passes passes = new Passes(session)) {
        result =
            (verifies ? sorter.verifying() : sorter).sort(input, InputFiles.target(target), passes);
      }
      session.printProfile(result.profile());
      if (!isStream) {
        session.print(
            Sorted.of(input, target, layout, named, result),
            () -> text(target, layout, named, bytes, result, engine));
      }
      return ExitCode.OK;
    }
  }

  /**
   * Refuses a file that begins with text: it fits the size of a record by chance, and no program
   * could read it after the sort. Strings of bytes may be text.
   */
  private void requireNoText(RecordLayout layout) throws IOException, Failure {
    if (key != null || allowsText) {
      return;
    }
    try (InputStream in = Files.newInputStream(input)) {
      byte[] start = FileErrors.naming(input, () -> in.readNBytes(TEXT_BYTES));
      boolean isText = start.length >= MIN_TEXT_BYTES;
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
  }

  private void requireFile(Session session) throws IOException, Failure {
    if (InputFiles.isStandardStream(input)) {
      throw session.usage("sort cannot read standard input: give a file");
    }
    InputFiles.requireReadable(input);
  }

  private static void requireDirectory(Path directory) throws IOException, Failure {
    if (!Files.isDirectory(directory)) {
      throw new Failure(
          Files.exists(directory) ? "not a directory" : "no such directory", directory);
    }
    Temporaries.requireWritableDirectory(directory);
  }

  private FileSorter sorter(Session session, Engine engine, RecordLayout layout, long bytes) {
    try {
      return method == null || method.equals(Methods.AUTO)
          ? FileSorter.of(engine, layout, bytes)
          : FileSorter.of(engine, layout, method, bytes);
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
      List<String> methodsTaken,
      int runs,
      double seconds,
      double keysPerSecond,
      Optional<String> fingerprint) {

    static Sorted of(
        Path input, Path output, RecordLayout layout, String method, SortResult result) {
      return new Sorted(
          input.toString(),
          output.toString(),
          layout.toString(),
          result.records(),
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
        result.runs() == 1
            ? "in memory"
            : "merged from %s in %s of memory"
                .formatted(ShardText.plural(result.runs(), "run"), Units.bytes(memoryBytes));
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
            ErrorLine.oneLine(target.toString()),
            ShardText.plural(result.records(), "record"),
            layout,
            Units.bytes(result.bytes()),
            taken,
            memoryUse,
            verified,
            ShardText.took(result.bytes(), result.seconds()),
            Units.scaled(result.keysPerSecond()),
            engine.summary());
  }

  private String text(RecordLayout layout, RecordCheck found) {
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
