package io.fieldstone.cpu.sorting;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the C kernels with the loops in Java, where this machine has them. */
class NativeOpsTest {

  private static final int SHAPES = 150;
  private static final byte MARGIN = 0x3C;

  private static final Optional<NativeSortKernels> KERNELS =
      NativeSortKernels.of(NativeLibrary.get());

  private final SplittableRandom random = new SplittableRandom(20261123);

  /** Loops over the same items. */
  private record Versions(ItemOps inJava, NativeOps inC) {
    @Override
    public String toString() {
      return inJava.getClass().getSimpleName() + inJava.keyBits();
    }
  }

  static List<Versions> versions() {
    return KERNELS.stream().flatMap(NativeOpsTest::versionsOf).toList();
  }

  private static Stream<Versions> versionsOf(NativeSortKernels kernels) {
    return Stream.of(new IntOps(), new LongOps(Integer.SIZE), new LongOps(Long.SIZE), new WideOps())
        .map(items -> new Versions(items, NativeOps.of(items, kernels)));
  }

  @Test
  void areMissingOnlyWithTheLibrary() {
    assertThat(KERNELS.isEmpty()).isEqualTo(NativeLibrary.get().missing().isPresent());
  }

  /**
   * 0 and as many other keys as a table holds are counted, in two tables, and one more is found.
   */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("versions")
  void fewKeysAreCounted(Versions versions) {
    ItemOps items = versions.inJava();
    int count = 5000;
    for (int different : new int[] {1, 2, 63, 300, 512, 513, 600}) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment values = randomItems(arena, items, different);
        MemorySegment from = arena.allocate(items.bytes(count));
        SortedMap<Long, Long> expected = new TreeMap<>(Long::compareUnsigned);
        for (int i = 0; i < count; i++) {
          long value =
              values.address() + items.bytes(i < different ? i : random.nextInt(different));
          items.copy(value, from.address() + items.bytes(i), 1);
          expected.merge(items.key(value), 1L, Long::sum);
        }
        KeyTable table = table(arena, 1 << 15);
        long others = expected.keySet().stream().filter(key -> key != 0).count();
        assertThat(table.maxKeys()).isEqualTo(512);
        assertThat(versions.inC().tally(from, count, 0, false, table)).isEqualTo(others <= 512);
        if (others <= 512) {
          assertThat(table.size()).isEqualTo(others);
          expected.putIfAbsent(0L, 0L);
          KeyTally once = KeyTally.of(table);
          assertThat(asMap(once)).isEqualTo(expected);
          KeyTable some = table(arena, 1 << 14);
          assertThat(versions.inC().tally(from, 100, 0, false, some)).isTrue();
          for (int i = 0; i < 100; i++) {
            expected.merge(items.key(from.address() + items.bytes(i)), 1L, Long::sum);
          }
          assertThat(asMap(KeyTally.of(some).plus(once))).isEqualTo(expected);
          assertThat(asMap(once.plus(KeyTally.of(some)))).isEqualTo(expected);
        }
      }
    }
  }

  /** Returns a table of memory that has been used, for a number of items of four bytes. */
  private static KeyTable table(Arena arena, int items) {
    MemorySegment memory = arena.allocate(2L * items * Integer.BYTES, Long.BYTES).fill(MARGIN);
    return KeyTable.at(memory.address(), items);
  }

  private static SortedMap<Long, Long> asMap(KeyTally tally) {
    assertThat(tally.keys()).isSortedAccordingTo(Long::compareUnsigned);
    SortedMap<Long, Long> map = new TreeMap<>(Long::compareUnsigned);
    for (int i = 0; i < tally.keys().length; i++) {
      assertThat(map.put(tally.keys()[i], tally.counts()[i])).isNull();
    }
    return map;
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("versions")
  void countAndMoveAlike(Versions versions) {
    for (int shape = 0; shape < SHAPES; shape++) {
      int count = 1 + random.nextInt(shape % 10 == 0 ? 20_000 : 600);
      int bits = random.nextInt(10);
      int shift = random.nextInt(versions.inJava().keyBits() - bits);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment items = randomItems(arena, versions.inJava(), count);
        long[] counts = new long[1 << bits];
        long[] expected = counts.clone();
        versions.inC().count(items.address(), count, shift, counts);
        versions.inJava().count(items.address(), count, shift, expected);
        assertThat(counts).isEqualTo(expected);
        MemorySegment moved = move(arena, versions.inC(), items, count, shift, counts);
        MemorySegment same = move(arena, versions.inJava(), items, count, shift, counts);
        assertThat(moved.mismatch(same)).as("%d items, %d bits", count, bits).isEqualTo(-1);
      }
    }
  }

  private static MemorySegment move(
      Arena arena, ItemOps ops, MemorySegment items, int count, int shift, long[] counts) {
    MemorySegment to = arena.allocate(items.byteSize(), 16);
    long[][] heads = ops.exclusiveScan(new long[][] {counts}, to.address());
    ops.scatter(items.address(), count, shift, heads[0]);
    ops.requireMoved(new long[][] {counts}, heads, to.address());
    return to;
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("versions")
  void writeNoItemBehindTheLastPlace(Versions versions) {
    int count = 300;
    long bytes = versions.inJava().bytes(count);
    long room = versions.inJava().bytes(10);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment zeros = arena.allocate(bytes, 64);
      MemorySegment memory = arena.allocate(2 * bytes, 64).fill(MARGIN);
      long last = memory.address() + room - versions.inJava().bytes(1);
      int kind = NativeOps.kind(versions.inJava());
      boolean isWithin =
          KERNELS
              .orElseThrow()
              .move(zeros, count, kind, 0, false, 0, new long[] {memory.address(), 0}, last);
      assertThat(isWithin).isFalse();
      assertThat(memory.asSlice(room).toArray(JAVA_BYTE)).containsOnly(MARGIN);
      assertThatExceptionOfType(ConcurrentModificationException.class)
          .isThrownBy(() ->
              versions
                  .inC()
                  .scatterWithin(
                      zeros.address(), count, 0, new long[] {memory.address(), 0}, last));
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("versions")
  void sortRunsAlike(Versions versions) {
    for (int shape = 0; shape < SHAPES; shape++) {
      int count = 1 + random.nextInt(shape % 10 == 0 ? 60_000 : 900);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment run = randomItems(arena, versions.inJava(), count);
        MemorySegment same = arena.allocate(run.byteSize(), 16).copyFrom(run);
        MemorySegment other = arena.allocate(run.byteSize(), 16);
        MemorySegment otherOfSame = arena.allocate(run.byteSize(), 16);
        long sorted = versions.inC().sortRun(run.address(), other.address(), count);
        long expected = versions.inJava().sortRun(same.address(), otherOfSame.address(), count);
        assertThat(sorted).isIn(run.address(), other.address());
        assertThat(at(sorted, run).mismatch(at(expected, run))).as("%d", count).isEqualTo(-1);
      }
    }
  }

  private static MemorySegment at(long address, MemorySegment items) {
    return Rows.MEMORY.asSlice(address, items.byteSize());
  }

  static Stream<RecordFormat> formats() {
    return Stream.of(KeyType.values())
        .filter(_ -> KERNELS.isPresent())
        .flatMap(key ->
            Stream.of(Direction.values())
                .flatMap(direction ->
                    Stream.of(0, key.bytes())
                        .map(payload -> new RecordFormat(key, payload, direction))));
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("formats")
  void convertKeysAlike(RecordFormat format) {
    ItemOps inJava = DirectItems.items(format).orElseThrow();
    KeyCodec codec = new KeyCodec(format, inJava);
    KeyCodec inC = new KeyCodec(format, NativeOps.of(inJava, KERNELS.orElseThrow()));
    for (int shape = 0; shape < SHAPES; shape++) {
      int count = 1 + random.nextInt(500);
      byte[] records = new byte[(int) inJava.bytes(count)];
      random.nextBytes(records);
      MemorySegment array = MemorySegment.ofArray(records);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment expected = arena.allocate(records.length, 16);
        MemorySegment read = arena.allocate(records.length, 16);
        boolean hasNoNan = codec.read(array, count, expected.address());
        assertThat(inC.read(array, count, read.address())).isEqualTo(hasNoNan);
        assertThat(read.mismatch(expected)).isEqualTo(-1);
        inC.fromBitOrdered(read.address(), count);
        assertThat(read.toArray(JAVA_BYTE)).isEqualTo(records);
        assertThat(inC.toBitOrdered(read.address(), count)).isEqualTo(hasNoNan);
        assertThat(read.mismatch(expected)).isEqualTo(-1);
        byte[] written = new byte[records.length];
        inC.write(read.address(), count, MemorySegment.ofArray(written));
        assertThat(written).isEqualTo(records);
      }
    }
  }

  /** Keys of two values when they are counted, and another when they are moved. */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("versions")
  void keysThatChangeBetweenCountAndMoveAreNotSorted(Versions versions) {
    NativeOps items = versions.inC();
    int count = 1 << 20;
    long[] reads = {0};
    ItemSort.Source changing =
        (_, number, to) -> {
          reads[0] += number == 1 ? 0 : number;
          boolean isMoved = reads[0] > 2L * count;
          for (int i = 0; i < number; i++) {
            long at = to + items.bytes(i);
            int key = isMoved ? 0x1234_5678 : i % 2 == 0 ? -1 : 0;
            if (items.keyBits() == Integer.SIZE) {
              Rows.MEMORY.set(JAVA_INT_UNALIGNED, at, key);
            } else {
              Rows.MEMORY.set(JAVA_LONG_UNALIGNED, at, (long) key);
            }
          }
        };
    try (SortMemory memory = new SortMemory();
        TaskPool workers = new TaskPool("test", 0, 0)) {
      SortResources resources =
          new SortResources(workers, memory, Long.MAX_VALUE, 0, items.bytes(count));
      assertThatExceptionOfType(ConcurrentModificationException.class)
          .isThrownBy(() ->
              MsdLsd.plain(items, resources)
                  .sort(
                      count,
                      changing,
                      (_, _, _) -> {
                        throw new AssertionError("stored");
                      }));
    }
  }

  /** Keys that agree in many bits, in some shapes; payloads count. */
  private MemorySegment randomItems(Arena arena, ItemOps ops, int count) {
    long mask = -1L >>> random.nextInt(3) * 25 & -1L << random.nextInt(3) * 9;
    long common = random.nextLong() & ~mask;
    MemorySegment items = arena.allocate(ops.bytes(count), 16);
    for (int i = 0; i < count; i++) {
      long key = random.nextLong() & mask | common;
      long at = ops.bytes(i);
      if (ops.keyBits() == Integer.SIZE) {
        items.set(JAVA_INT_UNALIGNED, at, (int) key);
      } else {
        items.set(JAVA_LONG_UNALIGNED, at, key);
      }
      if (!ops.areKeys()) {
        items.set(JAVA_INT_UNALIGNED, at + ops.keyBits() / Byte.SIZE, i);
      }
    }
    return items;
  }

  @Test
  void areTakenOnceThereIsEnoughWork() {
    IntOps inJava = new IntOps();
    assertThat(ItemLoops.inJava().choose(inJava, 1L << 40)).isSameAs(inJava);
    ItemLoops fastest = ItemLoops.fastest();
    assertThat(fastest.choose(inJava, 1000)).isSameAs(inJava);
    ItemOps chosen = fastest.choose(inJava, 1L << 20);
    assertThat(chosen instanceof NativeOps).isEqualTo(KERNELS.isPresent());
    assertThat(fastest.choose(inJava, 1000).getClass()).isEqualTo(chosen.getClass());
  }

  /** Keys that agree in most digits, so that the largest bucket is partitioned repeatedly. */
  @Test
  void largeBucketsAreDividedAgain() {
    int count = 1_000_000;
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = i % 1000 == 0 ? 1L << (9 * (i / 1000 % 7)) : 5L << 32 | i % 3;
    }
    long[] sorted = keys.clone();
    Arrays.sort(sorted);
    for (CpuSortMethod method :
        List.of(
            CpuSortMethod.lsd(ItemLoops.fastest()), CpuSortMethod.msdLsd(ItemLoops.fastest()))) {
      long[] copy = keys.clone();
      MemorySegment records = MemorySegment.ofArray(copy);
      try (SortMemory memory = new SortMemory();
          TaskPool workers = new TaskPool("test", 2, 0)) {
        method
            .kernels()
            .of(RecordFormat.of(KeyType.I64), workers, memory)
            .sort(records, records, Long.MAX_VALUE);
      }
      assertThat(Arrays.equals(copy, sorted)).as(method.name()).isTrue();
    }
  }
}
