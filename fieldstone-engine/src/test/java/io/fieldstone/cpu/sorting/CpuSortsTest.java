package io.fieldstone.cpu.sorting;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSortsTest {

  private static final RecordFormat PAIRS = RecordFormat.of(KeyType.I32).withPayload(4);

  private final SplittableRandom random = new SplittableRandom(17);

  @ParameterizedTest
  @ValueSource(strings = {"auto", "lsd", "msd-lsd"})
  void everySizeUpToAFewThousand(String method) {
    try (Engine engine = Engine.open("cpu", new EngineOptions(2))) {
      Sorting longs = sorting(engine, RecordFormat.of(KeyType.I64), method);
      Sorting ints = sorting(engine, RecordFormat.of(KeyType.I32), method);
      for (int size = 0; size <= 2000; size++) {
        long[] keys = random.longs(size).map(key -> key >> (key & 63)).toArray();
        long[] sorted = keys.clone();
        Arrays.sort(sorted);
        longs.sort(MemorySegment.ofArray(keys));
        assertThat(keys).isEqualTo(sorted);
        int[] shorter = random.ints(size).map(key -> key >> (key & 31)).toArray();
        int[] sortedShorter = shorter.clone();
        Arrays.sort(sortedShorter);
        ints.sort(MemorySegment.ofArray(shorter));
        assertThat(shorter).isEqualTo(sortedShorter);
      }
    }
  }

  /** Such arrays are reversed while they are checked, and turned back at the first wrong piece. */
  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN})
  void longArraysInReverseOrderButForOnePlace(double wrong) {
    int size = (1 << 21) + 100_001;
    int piece = 1 << 17;
    double[] reversed = new double[size];
    Arrays.setAll(reversed, i -> size - i);
    try (Engine engine = Engine.open("cpu", new EngineOptions(2))) {
      Sorting sorting = sorting(engine, RecordFormat.of(KeyType.F64), "auto");
      int[] places = {0, 1000, piece - 1, piece, size / 2, size - piece, size - 1};
      for (int place : places) {
        double[] keys = reversed.clone();
        keys[place] = wrong;
        double[] sorted = keys.clone();
        Arrays.sort(sorted);
        sorting.sort(MemorySegment.ofArray(keys));
        assertThat(Arrays.equals(keys, sorted)).as("%s at %d", wrong, place).isTrue();
      }
      AtomicReference<String> method = new AtomicReference<>("");
      sorting.withMethodListener(method::set).sort(MemorySegment.ofArray(reversed));
      assertThat(reversed).isSorted();
      assertThat(method.get()).isEqualTo("presorted");
    }
  }

  /** Buckets larger than a run, and some that the threads share. */
  @ParameterizedTest
  @ValueSource(longs = {-1, 0xFFF, 0xFF00_0000_0000_00FFL, 0x8000_0000_0000_0000L, 0x1_0000_0001L})
  void manyKeysThatDifferInFewBits(long mask) {
    long[] keys = random.longs(1_500_000).map(key -> key & (key % 10 == 0 ? -1 : mask)).toArray();
    long[] sorted = keys.clone();
    Arrays.sort(sorted);
    for (int threads = 1; threads <= 3; threads += 2) {
      try (Engine engine = Engine.open("cpu", new EngineOptions(threads))) {
        for (String method : new String[] {"auto", "lsd", "msd-lsd"}) {
          long[] copy = keys.clone();
          sorting(engine, RecordFormat.of(KeyType.I64), method).sort(MemorySegment.ofArray(copy));
          assertThat(Arrays.equals(copy, sorted)).as("%s, %d threads", method, threads).isTrue();
        }
      }
    }
  }

  /** Around zero, signed keys differ in all bits and lie close together. */
  @Test
  void manyKeysOnBothSidesOfZero() {
    int[] keys = random.ints(700_000, -5000, 5000).toArray();
    int[] sorted = keys.clone();
    Arrays.sort(sorted);
    try (Engine engine = Engine.open("cpu", new EngineOptions(2))) {
      engine.sorts().sorting(RecordFormat.of(KeyType.I32)).sort(MemorySegment.ofArray(keys));
    }
    assertThat(Arrays.equals(keys, sorted)).isTrue();
  }

  @Test
  void orderedKeysStayAndReversedKeysAreReversed() {
    for (int size : new int[] {3, 2049, 100_001, 1_100_000}) {
      long[] rising = new long[size];
      Arrays.setAll(rising, i -> (long) i / 3);
      long[] falling = new long[size];
      Arrays.setAll(falling, i -> rising[size - 1 - i]);
      // The payload is the upper half: it distinguishes pairs of equal keys.
      long[] pairs = new long[size];
      Arrays.setAll(pairs, i -> (long) i << 32 | (size - i) / 2);
      long[] expected = pairs.clone();
      try (Engine engine = Engine.open("cpu", new EngineOptions(2));
          Engine oracle = Engine.open("cpu:scalar")) {
        Sorting longs = engine.sorts().sorting(RecordFormat.of(KeyType.U64));
        longs.sort(MemorySegment.ofArray(falling));
        assertThat(Arrays.equals(falling, rising)).isTrue();
        longs.sort(MemorySegment.ofArray(falling));
        assertThat(Arrays.equals(falling, rising)).isTrue();
        engine.sorts().sorting(PAIRS).sort(MemorySegment.ofArray(pairs));
        oracle.sorts().sorting(PAIRS).sort(MemorySegment.ofArray(expected));
        assertThat(Arrays.equals(pairs, expected)).isTrue();
      }
    }
  }

  /** Few values anywhere in the range, more than are counted, and some only near the end. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 16, 200, 257, 2000, 2200})
  void fewDifferentKeys(int different) {
    long[] values = random.longs(different).toArray();
    for (int size : new int[] {300, 3000, 9000, 20_000, 600_000}) {
      long[] longs = random.ints(size, 0, different).mapToLong(i -> values[i]).toArray();
      if (different == 16) {
        random
            .longs(2000)
            .limit(size / 4)
            .forEach(key -> longs[size - 1 - (int) (key & 127)] = key);
      }
      int[] ints = Arrays.stream(longs).mapToInt(key -> (int) (key >>> 32)).toArray();
      float[] floats = new float[size];
      for (int i = 0; i < size; i++) {
        floats[i] = Float.intBitsToFloat(ints[i]);
      }
      floats[size / 2] = Float.NaN;
      try (Engine engine = Engine.open("cpu", new EngineOptions(2))) {
        long[] sortedLongs = longs.clone();
        Arrays.sort(sortedLongs);
        sorting(engine, RecordFormat.of(KeyType.I64), "auto").sort(MemorySegment.ofArray(longs));
        assertThat(Arrays.equals(longs, sortedLongs)).as("%d longs", size).isTrue();
        int[] sortedInts = ints.clone();
        Arrays.sort(sortedInts);
        sorting(engine, RecordFormat.of(KeyType.I32), "auto").sort(MemorySegment.ofArray(ints));
        assertThat(Arrays.equals(ints, sortedInts)).as("%d ints", size).isTrue();
        float[] sortedFloats = floats.clone();
        Arrays.sort(sortedFloats);
        sorting(engine, RecordFormat.of(KeyType.F32), "auto").sort(MemorySegment.ofArray(floats));
        assertThat(Arrays.equals(floats, sortedFloats)).as("%d floats", size).isTrue();
      }
    }
  }

  /** Of the least size at which C kernels count keys, and of several blocks. */
  @ParameterizedTest
  @EnumSource(KeyType.class)
  void fewKeysOfEachTypeAreCountedInEitherDirection(KeyType type) {
    String few = NativeLibrary.get().missing().isPresent() ? "msd-lsd" : "few-keys";
    long[] values = random.longs(20).toArray();
    values[7] = 0;
    try (Engine engine = Engine.open("cpu", new EngineOptions(2))) {
      // The kernels are loaded after some keys have been sorted.
      sortsAsTheOracle(
          engine, RecordFormat.of(type), MemorySegment.ofArray(random.longs(1 << 17).toArray()));
      for (int size : new int[] {1 << 12, 70_001}) {
        for (RecordFormat.Direction direction : RecordFormat.Direction.values()) {
          RecordFormat format = new RecordFormat(type, 0, direction);
          MemorySegment keys = MemorySegment.ofArray(new byte[size * type.bytes()]);
          for (long i = 0; i < size; i++) {
            write(type, keys, i, values[random.nextInt(values.length)]);
          }
          MemorySegment others = MemorySegment.ofArray(keys.toArray(JAVA_BYTE));
          assertThat(sortsAsTheOracle(engine, format, keys)).isEqualTo(few);
          // A key between the samples, which is none of the others.
          write(type, others, 500, 1234);
          MemorySegment withNan = MemorySegment.ofArray(others.toArray(JAVA_BYTE));
          assertThat(sortsAsTheOracle(engine, format, others)).isEqualTo(few);
          if (type.isFloating()) {
            // With all bits set, or all but the sign, a NaN has the least bit-ordered key.
            withNan.asSlice(500L * type.bytes(), type.bytes()).fill((byte) -1);
            withNan.asSlice(900L * type.bytes(), type.bytes()).fill((byte) -1);
            withNan.set(JAVA_BYTE, 901L * type.bytes() - 1, Byte.MAX_VALUE);
            // Without its NaNs, the shorter array has too few keys to count.
            String counted = size == 1 << 12 ? "msd-lsd" : few;
            assertThat(sortsAsTheOracle(engine, format, withNan)).isEqualTo(counted);
          }
        }
      }
    }
  }

  /** Keys in order are never moved, and any key out of order is moved. */
  @ParameterizedTest
  @EnumSource(KeyType.class)
  void oneKeyOutOfOrderIsMoved(KeyType type) {
    RecordFormat format = RecordFormat.of(type);
    try (Engine engine = Engine.open("cpu", new EngineOptions(2))) {
      for (int size : new int[] {1000, 1 << 14, (1 << 14) + 1}) {
        for (boolean falling : new boolean[] {false, true}) {
          for (int wrong : new int[] {-1, 0, 1, 9, size / 2, size - 2, size - 1}) {
            MemorySegment keys = array(type, size);
            for (int i = 0; i < size; i++) {
              write(type, keys, i, i == wrong ? -5 : falling ? size - i : i + 3);
            }
            // As a number without a sign, -5 is the greatest.
            boolean isGreatest = type == KeyType.U32 || type == KeyType.U64;
            int place = falling == isGreatest ? 0 : size - 1;
            assertThat(sortsAsTheOracle(engine, format, keys).equals("presorted"))
                .as("%s, key %d of %d, falling %b", type, wrong, size, falling)
                .isEqualTo(wrong < 0 || wrong == place);
          }
        }
      }
    }
  }

  /**
   * Sorts by the default method, compares with the oracle and returns the method that was taken.
   */
  private static String sortsAsTheOracle(Engine engine, RecordFormat format, MemorySegment keys) {
    MemorySegment expected = MemorySegment.ofArray(keys.toArray(JAVA_BYTE));
    AtomicReference<String> method = new AtomicReference<>("");
    try (Engine oracle = Engine.open("cpu:scalar")) {
      oracle.sorts().sorting(format).sort(expected);
    }
    engine.sorts().sorting(format).withMethodListener(method::set).sort(keys);
    assertThat(keys.mismatch(expected)).as("%s", format).isEqualTo(-1);
    return method.get();
  }

  private static MemorySegment array(KeyType type, int size) {
    return switch (type) {
      case I32, U32 -> MemorySegment.ofArray(new int[size]);
      case I64, U64 -> MemorySegment.ofArray(new long[size]);
      case F32 -> MemorySegment.ofArray(new float[size]);
      case F64 -> MemorySegment.ofArray(new double[size]);
    };
  }

  /** Writes a number, of whose high bits short keys have none. */
  private static void write(KeyType type, MemorySegment keys, long index, long number) {
    switch (type) {
      case I32, U32 -> keys.set(JAVA_INT_UNALIGNED, index * Integer.BYTES, (int) number);
      case I64, U64 -> keys.set(JAVA_LONG_UNALIGNED, index * Long.BYTES, number);
      case F32 -> keys.set(JAVA_FLOAT_UNALIGNED, index * Float.BYTES, (int) number);
      case F64 -> keys.set(JAVA_DOUBLE_UNALIGNED, index * Double.BYTES, number);
    }
  }

  /** Keys outside the part stay unchanged, with the JDK's sort of short arrays too. */
  @Test
  void onlyTheGivenPartOfAnArrayIsSorted() {
    try (Engine engine = Engine.open("cpu", new EngineOptions(2))) {
      Sorting sorting = sorting(engine, RecordFormat.of(KeyType.I32), "auto");
      for (int size : new int[] {5, 1500, 5000, 700_000}) {
        for (int kind = 0; kind < 3; kind++) {
          int way = kind;
          int[] keys = random.ints(size + 20).toArray();
          int[] expected = keys.clone();
          for (int i = 10; i < size + 10 && way > 0; i++) {
            keys[i] = expected[i] = way == 1 ? i : -i;
          }
          Arrays.sort(expected, 10, size + 10);
          sorting.sort(MemorySegment.ofArray(keys).asSlice(40, 4L * size));
          assertThat(Arrays.equals(keys, expected)).as("%d, kind %d", size, way).isTrue();
        }
      }
    }
  }

  /** Keys outside the part stay unchanged. */
  @Test
  void unsignedKeysInAPartOfAnArray() {
    try (Engine engine = Engine.open("cpu", new EngineOptions(2))) {
      Sorting ints = sorting(engine, RecordFormat.of(KeyType.U32), "auto");
      Sorting longs = sorting(engine, RecordFormat.of(KeyType.U64), "auto");
      for (int size : new int[] {2, 100, 1500, 3000, 20_000}) {
        for (int different : new int[] {3, 1 << 30}) {
          int[] keys =
              random.ints(size + 20, 0, different).map(key -> key * -0x61C8_8647).toArray();
          long[] wide = Arrays.stream(keys).mapToLong(key -> (long) key << 32 | 5).toArray();
          int[] expected = keys.clone();
          long[] expectedWide = wide.clone();
          for (int i = 10; i < size + 10; i++) {
            expected[i] ^= Integer.MIN_VALUE;
            expectedWide[i] ^= Long.MIN_VALUE;
          }
          Arrays.sort(expected, 10, size + 10);
          Arrays.sort(expectedWide, 10, size + 10);
          for (int i = 10; i < size + 10; i++) {
            expected[i] ^= Integer.MIN_VALUE;
            expectedWide[i] ^= Long.MIN_VALUE;
          }
          ints.sort(MemorySegment.ofArray(keys).asSlice(40, 4L * size));
          longs.sort(MemorySegment.ofArray(wide).asSlice(80, 8L * size));
          assertThat(Arrays.equals(keys, expected)).as("%d ints", size).isTrue();
          assertThat(Arrays.equals(wide, expectedWide)).as("%d longs", size).isTrue();
        }
      }
    }
  }

  /** Compares with the oracle in either direction; the engine reads the array in place. */
  @Test
  void pairsInAPartOfAnArray() {
    int count = 70_000;
    long[] pairs = random.longs(count + 20).map(pair -> pair & ~0xFF00L).toArray();
    try (Engine engine = Engine.open("cpu", new EngineOptions(2));
        Engine oracle = Engine.open("cpu:scalar")) {
      for (RecordFormat.Direction direction : RecordFormat.Direction.values()) {
        RecordFormat format = new RecordFormat(KeyType.I32, 4, direction);
        long[] sorted = pairs.clone();
        sorting(engine, format, "auto").sort(MemorySegment.ofArray(sorted).asSlice(80, 8L * count));
        long[] expected = pairs.clone();
        oracle
            .sorts()
            .sorting(format)
            .sort(MemorySegment.ofArray(expected).asSlice(80, 8L * count));
        assertThat(Arrays.equals(sorted, expected)).as("%s", direction).isTrue();
      }
    }
  }

  /** Enough keys for several shares per thread, and for one bucket that all threads partition. */
  @Test
  void manySkewedKeys() {
    int[] keys =
        random.doubles(2_500_000).mapToInt(u -> (int) Math.exp(u * Math.log(2e9))).toArray();
    int[] sorted = keys.clone();
    Arrays.sort(sorted);
    try (Engine engine = Engine.open("cpu", new EngineOptions(3))) {
      for (String method : new String[] {"auto", "msd-lsd"}) {
        int[] copy = keys.clone();
        sorting(engine, RecordFormat.of(KeyType.U32), method).sort(MemorySegment.ofArray(copy));
        assertThat(Arrays.equals(copy, sorted)).as(method).isTrue();
      }
    }
  }

  @Test
  void namesTheMethodsThereAre() {
    try (Engine engine = Engine.open("cpu");
        Engine oracle = Engine.open("cpu:scalar")) {
      assertThat(engine.sorts().methods(PAIRS)).containsExactly("comparison", "lsd", "msd-lsd");
      assertThat(engine.sorts().sorting(PAIRS).method()).isEqualTo("auto");
      assertThat(engine.sorts().sorting(PAIRS, "lsd").method()).isEqualTo("lsd");
      assertThat(oracle.sorts().methods(PAIRS)).containsExactly("comparison");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.sorts().sorting(PAIRS, "bogo"))
          .withMessageContaining("'bogo'")
          .withMessageContaining("comparison, lsd, msd-lsd");
    }
  }

  @Test
  void aClosedEngineRefuses() {
    Engine engine = Engine.open("cpu");
    Sorting sorting = engine.sorts().sorting(PAIRS);
    engine.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> sorting.sort(MemorySegment.ofArray(new byte[80])))
        .withMessageContaining("closed");
  }

  private static Sorting sorting(Engine engine, RecordFormat format, String method) {
    return method.equals("auto")
        ? engine.sorts().sorting(format)
        : engine.sorts().sorting(format, method);
  }

  /** Zeros keep their signs, and NaNs their order. */
  @ParameterizedTest
  @ValueSource(ints = {10, 1000, 5000, 20_000, 300_000})
  void arraysOfFloatingPointNumbersKeepEveryBit(int size) {
    for (String spread : List.of("any", "rising", "falling", "few")) {
      for (boolean hasNans : new boolean[] {false, true}) {
        float[] floats = new float[size];
        double[] doubles = new double[size];
        for (int i = 0; i < size; i++) {
          double number =
              switch (spread) {
                case "rising" -> i - 5.0;
                case "falling" -> 5.0 - i;
                case "few" -> random.nextInt(8) - 4;
                default -> random.nextDouble() - 0.5;
              };
          boolean isNan = hasNans && random.nextInt(100) == 0;
          doubles[i] =
              isNan
                  ? Double.longBitsToDouble(0x7FF8_0000_0000_0000L | random.nextInt(1 << 20))
                  : number == 0 && random.nextBoolean() ? -0.0 : number;
          floats[i] =
              isNan
                  ? Float.intBitsToFloat(0x7FC0_0000 | random.nextInt(1 << 20))
                  : (float) doubles[i];
        }
        String what = "%d %s, NaNs %b".formatted(size, spread, hasNans);
        for (Direction direction : Direction.values()) {
          RecordFormat f32 = new RecordFormat(KeyType.F32, 0, direction);
          RecordFormat f64 = new RecordFormat(KeyType.F64, 0, direction);
          check(what, f32, MemorySegment.ofArray(floats.clone()), floats.clone());
          check(what, f64, MemorySegment.ofArray(doubles.clone()), doubles.clone());
        }
      }
    }
  }

  /** Sorts all but the first and the last number, by the oracle and by the default method. */
  private static void check(String what, RecordFormat format, MemorySegment numbers, Object copy) {
    MemorySegment expected =
        copy instanceof float[] floats
            ? MemorySegment.ofArray(floats)
            : MemorySegment.ofArray((double[]) copy);
    long bytes = format.bytes();
    long some = numbers.byteSize() - 2 * bytes;
    try (Engine oracle = Engine.open("cpu:scalar");
        Engine engine = Engine.open("cpu", new EngineOptions(2))) {
      oracle.sorts().sorting(format).sort(expected.asSlice(bytes, some));
      engine.sorts().sorting(format).sort(numbers.asSlice(bytes, some));
    }
    assertThat(numbers.mismatch(expected)).as("%s, %s", format, what).isEqualTo(-1);
  }
}
