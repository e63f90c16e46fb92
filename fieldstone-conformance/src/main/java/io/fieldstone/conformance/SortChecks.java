package io.fieldstone.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Compares random sorts with those of the Java library. */
final class SortChecks {

  private static final int MAX_RECORDS = 3000;
  private static final int MANY_RECORDS = 135_000;
  private static final int MAX_PAYLOAD = 40;
  private static final int MAX_OFFSET = 70;

  private final Engine engine;
  private final SplittableRandom random;
  private final RecordFormat format;

  SortChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
    KeyType key = pick(KeyType.values());
    int payload =
        switch (random.nextInt(4)) {
          case 0 -> 0;
          case 1 -> Integer.BYTES;
          case 2 -> Long.BYTES;
          default -> random.nextInt(MAX_PAYLOAD);
        };
    this.format = new RecordFormat(key, payload, pick(Direction.values()));
  }

  /** Sorts few records, in place or out of place, by a random method. */
  Optional<String> sorted() {
    int limit = random.nextBoolean() ? MAX_RECORDS : MAX_RECORDS / 50;
    return sorted(random.nextInt(limit));
  }

  /** Sorts enough records for an engine to use several threads and partitions. */
  Optional<String> manySorted() {
    return sorted(MANY_RECORDS + random.nextInt(MAX_RECORDS));
  }

  /** Argsorts few records. */
  Optional<String> order() {
    return order(random.nextInt(MAX_RECORDS));
  }

  /** Argsorts many records. */
  Optional<String> orderOfMany() {
    return order(MANY_RECORDS + random.nextInt(MAX_RECORDS));
  }

  /** Sorts records that several threads read and write by position, if the engine does that. */
  Optional<String> streamed() {
    return streamed(
        random.nextBoolean()
            ? random.nextInt(MAX_RECORDS)
            : MANY_RECORDS + random.nextInt(MAX_RECORDS));
  }

  private Optional<String> streamed(int count) {
    byte[] records = records(count);
    byte[] written = new byte[records.length];
    LongAdder writtenBytes = new LongAdder();
    Sorting sorting = sorting();
    boolean isSorted =
        sorting.sort(
            count,
            (position, to) ->
                MemorySegment.copy(records, (int) position, to, JAVA_BYTE, 0, (int) to.byteSize()),
            (position, from) -> {
              writtenBytes.add(from.byteSize());
              MemorySegment.copy(
                  from, JAVA_BYTE, 0, written, (int) position, (int) from.byteSize());
            });
    String label = "streamed " + label(sorting, count);
    long expectedBytes = isSorted ? records.length : 0;
    if (writtenBytes.sum() != expectedBytes) {
      return Optional.of(
          "%s: %d bytes written, expected %d".formatted(label, writtenBytes.sum(), expectedBytes));
    }
    return isSorted
        ? difference(label, permuted(records, expectedOrder(records)), written)
        : Optional.empty();
  }

  /** Sorts and argsorts a part of resident bytes. */
  Optional<String> resident() {
    byte[] records = records(random.nextInt(MAX_RECORDS));
    int count = records.length / format.bytes();
    int offset = random.nextInt(MAX_OFFSET);
    byte[] stored = new byte[offset + records.length + random.nextInt(MAX_OFFSET)];
    random.nextBytes(stored);
    System.arraycopy(records, 0, stored, offset, records.length);
    Integer[] expected = expectedOrder(records);
    Sorting sorting = sorting();
    try (ResidentBytes bytes = engine.loadBytes(MemorySegment.ofArray(stored));
        ResidentBytes indices = engine.allocateBytes((long) count * Long.BYTES)) {
      sorting.argsort(bytes, offset, records.length, indices);
      byte[] order = new byte[count * Long.BYTES];
      indices.read(0, MemorySegment.ofArray(order));
      if (!Arrays.equals(order, indices(expected, Long.BYTES))) {
        return Optional.of("the order of resident " + label(sorting, count));
      }
      sorting.sort(bytes, offset, records.length);
      System.arraycopy(permuted(records, expected), 0, stored, offset, records.length);
      byte[] read = new byte[stored.length];
      bytes.read(0, MemorySegment.ofArray(read));
      return difference("resident " + label(sorting, count), stored, read);
    }
  }

  /** Checks that invalid arguments are rejected. */
  Optional<String> misuse() {
    RecordFormat pairs = RecordFormat.of(KeyType.U32).withPayload(4);
    Sorting sorting = engine.sorts().sorting(pairs);
    MemorySegment memory = MemorySegment.ofArray(new byte[64]);
    MemorySegment other = MemorySegment.ofArray(new byte[64]);
    try (Engine another = Engine.open("auto");
        ResidentBytes foreign = another.allocateBytes(64)) {
      return Stream.<Optional<String>>of(
              rejected("an incomplete record", () -> sorting.sort(memory.asSlice(0, 60))),
              rejected(
                  "too little memory for results", () -> sorting.sort(memory, other.asSlice(8))),
              rejected(
                  "overlapping records and results",
                  () -> sorting.sort(memory.asSlice(0, 32), memory.asSlice(24, 32))),
              rejected("results onto read-only memory", () -> sorting.sort(memory.asReadOnly())),
              rejected(
                  "indices of 5 bytes", () -> sorting.argsort(memory, other.asSlice(0, 8 * 5))),
              rejected("records of another engine", () -> sorting.sort(foreign, 0, 64)),
              rejected("an unknown method", () -> engine.sorts().sorting(pairs, "bogo")))
          .flatMap(Optional::stream)
          .findFirst();
    }
  }

  /** Checks that an order in memory of another engine is rejected. */
  Optional<String> residentMisuse() {
    Sorting sorting = engine.sorts().sorting(RecordFormat.of(KeyType.U32).withPayload(4));
    try (Engine another = Engine.open("auto");
        ResidentBytes foreign = another.allocateBytes(64);
        ResidentBytes own = engine.allocateBytes(64)) {
      return rejected("an order on another engine", () -> sorting.argsort(own, 0, 64, foreign));
    }
  }

  private Optional<String> sorted(int count) {
    byte[] records = records(count);
    byte[] expected = permuted(records, expectedOrder(records));
    Sorting sorting = sorting();
    String label = label(sorting, count);
    try (Arena arena = Arena.ofConfined()) {
      GuardedBytes source = new GuardedBytes(records, arena);
      if (random.nextBoolean()) {
        sorting.sort(source.content);
        return source.difference(label + " in place", expected);
      }
      GuardedBytes target = new GuardedBytes(new byte[records.length], arena);
      sorting.sort(source.content, target.content);
      return source
          .difference(label + ", their source", records)
          .or(() -> target.difference(label, expected));
    }
  }

  private Optional<String> order(int count) {
    byte[] records = records(count);
    int indexBytes = random.nextBoolean() ? Integer.BYTES : Long.BYTES;
    Sorting sorting = sorting();
    String label = label(sorting, count);
    try (Arena arena = Arena.ofConfined()) {
      GuardedBytes source = new GuardedBytes(records, arena);
      GuardedBytes order = new GuardedBytes(new byte[count * indexBytes], arena);
      sorting.argsort(source.content, order.content);
      return source
          .difference("argsort of " + label + ", their source", records)
          .or(() ->
              order.difference("argsort of " + label, indices(expectedOrder(records), indexBytes)));
    }
  }

  private Sorting sorting() {
    List<String> methods = engine.sorts().methods(format);
    int method = random.nextInt(methods.size() + 1);
    return method == methods.size()
        ? engine.sorts().sorting(format)
        : engine.sorts().sorting(format, methods.get(method));
  }

  private String label(Sorting sorting, int count) {
    return "%d records of %s by %s".formatted(count, format, sorting.method());
  }

  /** Returns records with random payloads and keys of a random distribution. */
  private byte[] records(int count) {
    byte[] records = new byte[count * format.bytes()];
    random.nextBytes(records);
    MemorySegment memory = MemorySegment.ofArray(records);
    KeyDistribution kind = pick(KeyDistribution.values());
    int fixedBits = random.nextInt(Long.SIZE);
    long fixed = random.nextLong();
    long step = random.nextLong() >>> random.nextInt(Long.SIZE);
    for (int i = 0; i < count; i++) {
      long any = random.nextLong();
      long key =
          switch (kind) {
            case ANY -> any;
            case EQUAL -> fixed;
            case FEW -> fixed + step * (any & 3);
            case RISING -> fixed + step * i;
            case NEARLY_RISING -> random.nextInt(50) == 0 ? any : fixed + (long) i;
            case FALLING -> fixed - i;
            case LOW_BITS -> any >>> fixedBits;
            case HIGH_BITS -> (any << fixedBits) + fixed;
            case SPECIAL -> special();
          };
      setKey(memory, (long) i * format.bytes(), key);
    }
    return records;
  }

  private enum KeyDistribution {
    ANY,
    EQUAL,
    FEW,
    RISING,
    NEARLY_RISING,
    FALLING,
    LOW_BITS,
    HIGH_BITS,
    SPECIAL
  }

  /** Returns a limit of the key type, a number near zero, or a NaN. */
  private long special() {
    boolean is32 = format.key().bytes() == Integer.BYTES;
    long sign = random.nextBoolean() ? (is32 ? Integer.MIN_VALUE : Long.MIN_VALUE) : 0;
    float[] floats = {0, Float.MIN_VALUE, 1, Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NaN};
    float number = floats[random.nextInt(floats.length)];
    long bits = is32 ? Float.floatToRawIntBits(number) : Double.doubleToRawLongBits(number);
    return sign ^ (bits + random.nextInt(3) - 1);
  }

  private void setKey(MemorySegment memory, long offset, long key) {
    if (format.key().bytes() == Integer.BYTES) {
      memory.set(JAVA_INT_UNALIGNED, offset, (int) key);
    } else {
      memory.set(JAVA_LONG_UNALIGNED, offset, key);
    }
  }

  private Integer[] expectedOrder(byte[] records) {
    MemorySegment memory = MemorySegment.ofArray(records);
    int bytes = format.bytes();
    Comparator<Integer> byKey =
        switch (format.key()) {
          case U32 ->
              (a, b) ->
                  Integer.compareUnsigned(
                      memory.get(JAVA_INT_UNALIGNED, (long) a * bytes),
                      memory.get(JAVA_INT_UNALIGNED, (long) b * bytes));
          case I32 ->
              Comparator.comparingInt(i -> memory.get(JAVA_INT_UNALIGNED, (long) i * bytes));
          case U64 ->
              (a, b) ->
                  Long.compareUnsigned(
                      memory.get(JAVA_LONG_UNALIGNED, (long) a * bytes),
                      memory.get(JAVA_LONG_UNALIGNED, (long) b * bytes));
          case I64 ->
              Comparator.comparingLong(i -> memory.get(JAVA_LONG_UNALIGNED, (long) i * bytes));
          case F32 ->
              Comparator.comparingDouble(i -> memory.get(JAVA_FLOAT_UNALIGNED, (long) i * bytes));
          case F64 ->
              Comparator.comparingDouble(i -> memory.get(JAVA_DOUBLE_UNALIGNED, (long) i * bytes));
        };
    return IntStream.range(0, records.length / bytes)
        .boxed()
        .sorted(format.direction() == Direction.ASCENDING ? byKey : byKey.reversed())
        .toArray(Integer[]::new);
  }

  private byte[] permuted(byte[] records, Integer[] order) {
    int bytes = format.bytes();
    byte[] permuted = new byte[records.length];
    for (int i = 0; i < order.length; i++) {
      System.arraycopy(records, order[i] * bytes, permuted, i * bytes, bytes);
    }
    return permuted;
  }

  private static byte[] indices(Integer[] order, int indexBytes) {
    byte[] bytes = new byte[order.length * indexBytes];
    MemorySegment memory = MemorySegment.ofArray(bytes);
    for (int i = 0; i < order.length; i++) {
      if (indexBytes == Integer.BYTES) {
        memory.set(JAVA_INT_UNALIGNED, (long) i * indexBytes, order[i]);
      } else {
        memory.set(JAVA_LONG_UNALIGNED, (long) i * indexBytes, order[i]);
      }
    }
    return bytes;
  }

  private <T> T pick(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private static Optional<String> rejected(String misuse, Runnable call) {
    try {
      call.run();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of("%s is rejected with %s".formatted(misuse, e));
    }
    return Optional.of(misuse + " is not rejected");
  }

  private static Optional<String> difference(String label, byte[] expected, byte[] found) {
    int at = Arrays.mismatch(expected, found);
    return at < 0
        ? Optional.empty()
        : Optional.of("%s: wrong from byte %d on".formatted(label, at));
  }

  /** Bytes in random memory, surrounded by random bytes that must not change. */
  private final class GuardedBytes {
    private final MemorySegment memory;
    private final MemorySegment content;
    private final byte[] whole;
    private final int offset;

    GuardedBytes(byte[] bytes, Arena arena) {
      offset = random.nextInt(MAX_OFFSET) & (random.nextBoolean() ? -Long.BYTES : -1);
      whole = new byte[offset + Math.ceilDiv(bytes.length, Long.BYTES) * Long.BYTES + MAX_OFFSET];
      random.nextBytes(whole);
      System.arraycopy(bytes, 0, whole, offset, bytes.length);
      memory = memory(arena);
      MemorySegment.copy(whole, 0, memory, JAVA_BYTE, 0, whole.length);
      content = memory.asSlice(offset, bytes.length);
    }

    private MemorySegment memory(Arena arena) {
      return switch (random.nextInt(6)) {
        case 0 -> MemorySegment.ofArray(new byte[whole.length]);
        case 1 -> MemorySegment.ofArray(new int[whole.length / Integer.BYTES + 1]);
        case 2 -> MemorySegment.ofArray(new double[whole.length / Double.BYTES + 1]);
        default -> arena.allocate(whole.length, Long.BYTES);
      };
    }

    Optional<String> difference(String label, byte[] expected) {
      System.arraycopy(expected, 0, whole, offset, expected.length);
      byte[] found = memory.asSlice(0, whole.length).toArray(JAVA_BYTE);
      return SortChecks.difference(label + " at offset " + offset, whole, found);
    }
  }
}
