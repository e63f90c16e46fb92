package io.fieldstone.cli;

import io.fieldstone.cli.console.Converters;
import io.fieldstone.cli.console.Session;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.CompositeKey;
import io.fieldstone.sort.NpyHeader;
import io.fieldstone.sort.RecordLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code fieldstone sort} that describe records and their keys. */
final class SortKeyOptions {

  private static final String BIG_ENDIAN_SUFFIX = "be";

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
      paramLabel = "KEY[,KEY]...",
      description =
          "Instead of --type, with --record or --payload: one key or several, the first decides."
              + " OFFSET:LENGTH is a string of bytes, compared as unsigned; TYPE@OFFSET a number,"
              + " such as i32@4, or i32be@4 if it is big-endian. :asc or :desc after a key gives it"
              + " an order of its own.")
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
      description = "Bytes that follow each key, or the last of several (default: 0).")
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

  /** Returns whether a file that begins with text is refused; strings of bytes may be text. */
  boolean refusesText() {
    return type != null && !allowsText;
  }

  /**
   * Returns the records of a file of NumPy.
   *
   * @throws picocli.CommandLine.ParameterException if options describe records, too
   */
  RecordLayout layout(Session session, NpyHeader header) {
    boolean isDescribed =
        type != null
            || key != null
            || keyOffset != null
            || isBigEndian
            || payload != null
            || record != null;
    if (isDescribed || allowsText) {
      throw session.usage(
          "a .npy file names its type, here %s: of the options for keys, only --order fits"
              .formatted(header.key()));
    }
    return header.layout(order.direction);
  }

  /**
   * Returns the records that the options describe.
   *
   * @throws picocli.CommandLine.ParameterException if they contradict each other
   */
  RecordLayout layout(Session session) {
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
    try {
      return key == null ? number(session) : keys(session, key);
    } catch (IllegalArgumentException e) {
      throw session.usage(String.valueOf(e.getMessage()));
    }
  }

  private RecordLayout number(Session session) {
    int offset = size(session, "--key-offset", keyOffset, 0);
    KeyType known = Optional.ofNullable(type).orElseThrow();
    ByteOrder bytes = isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    return layout(session, offset, new RecordLayout.Numeric(known, bytes), order.direction);
  }

  private RecordLayout keys(Session session, String text) {
    List<CompositeKey.Part> parts = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      parts.add(part(session, each));
    }
    if (payload == null && record == null) {
      throw session.usage(
          "missing required option: '--record=BYTES', the bytes of a record (or --payload, those"
              + " after its last key)");
    }
    CompositeKey.Part first = parts.getFirst();
    return parts.size() == 1
        ? layout(session, first.offset(), first.key(), first.direction())
        : layout(session, 0, CompositeKey.of(parts), Direction.ASCENDING);
  }

  private RecordLayout layout(
      Session session, int offset, RecordLayout.Key kind, Direction direction) {
    long bytes =
        record == null
            ? (long) offset + kind.bytes() + size(session, "--payload", payload, 0)
            : size(session, "--record", record, 1);
    return new RecordLayout((int) Math.min(bytes, Integer.MAX_VALUE), offset, kind, direction);
  }

  private CompositeKey.Part part(Session session, String text) {
    Direction direction = order.direction;
    String place = text;
    for (Order each : Order.values()) {
      if (text.toLowerCase(Locale.ROOT).endsWith(":" + each)) {
        direction = each.direction;
        place = text.substring(0, text.length() - each.toString().length() - 1);
      }
    }
    String[] number = place.split("@", -1);
    String[] string = place.split(":", -1);
    if (number.length == 2) {
      boolean isBig = number[0].toLowerCase(Locale.ROOT).endsWith(BIG_ENDIAN_SUFFIX);
      String name =
          isBig
              ? number[0].substring(0, number[0].length() - BIG_ENDIAN_SUFFIX.length())
              : number[0];
      ByteOrder bytes = isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
      return new CompositeKey.Part(
          number(session, number[1], 0),
          new RecordLayout.Numeric(KeyType.of(name), bytes),
          direction);
    }
    if (string.length == 2) {
      return new CompositeKey.Part(
          number(session, string[0], 0),
          new RecordLayout.ByteString(number(session, string[1], 1)),
          direction);
    }
    throw session.usage("--key '%s' is neither OFFSET:LENGTH nor TYPE@OFFSET".formatted(text));
  }

  private static int number(Session session, String text, int min) {
    try {
      return size(session, "--key", new Converters.Size().convert(text), min);
    } catch (TypeConversionException e) {
      throw session.usage("--key: " + e.getMessage());
    }
  }

  private static int size(Session session, String option, @Nullable Long value, int min) {
    return Converters.requireSizeInRange(
        session.command(), option, value == null ? 0 : value, min, RecordLayout.MAX_RECORD_BYTES);
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
}
