package io.fieldstone.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SorterTest {

  private static final float[] FLOATS = {
    -0f, 0, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, -Float.MIN_VALUE, 1, -1
  };

  private final SplittableRandom random = new SplittableRandom(3);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 50, 1000, 9000, 70_000})
  void integersAreSortedAsTheLanguageSortsThem(int size) {
    int[] ints = random.ints(size).toArray();
    RadixSort.sort(ints);
    assertThat(ints).isSorted();
    RadixSort.sortDescending(ints);
    assertThat(ints).isSortedAccordingTo(Collections.reverseOrder());
    RadixSort.sortUnsigned(ints);
    assertThat(ints).isSortedAccordingTo(Integer::compareUnsigned);

    long[] longs = random.longs(size).toArray();
    RadixSort.sort(longs);
    assertThat(longs).isSorted();
    RadixSort.sortDescending(longs);
    assertThat(longs).isSortedAccordingTo(Collections.reverseOrder());
    RadixSort.sortUnsigned(longs);
    assertThat(longs).isSortedAccordingTo(Long::compareUnsigned);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 50, 9000})
  void partsOfArraysAreSorted(int size) {
    int from = size / 3;
    int to = size - size / 4;
    int[] ints = random.ints(size).toArray();
    int[] expectedInts = ints.clone();
    Arrays.sort(expectedInts, from, to);
    RadixSort.sort(ints, from, to);
    assertThat(ints).isEqualTo(expectedInts);
    long[] longs = random.longs(size).toArray();
    long[] expectedLongs = longs.clone();
    Arrays.sort(expectedLongs, from, to);
    RadixSort.sort(longs, from, to);
    assertThat(longs).isEqualTo(expectedLongs);
    double[] doubles = random.doubles(size).toArray();
    double[] expectedDoubles = doubles.clone();
    Arrays.sort(expectedDoubles, from, to);
    RadixSort.sort(doubles, from, to);
    assertThat(doubles).isEqualTo(expectedDoubles);
    float[] floats = {3, 2, Float.NaN, 1};
    RadixSort.sort(floats, 1, 4);
    assertThat(floats).isEqualTo(new float[] {3, 1, 2, Float.NaN});

    for (int[] part : new int[][] {{-1, 2}, {2, 1}, {0, size + 1}}) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> RadixSort.sort(ints, part[0], part[1]));
    }
    RadixSort.sort(ints, size, size);
    assertThat(ints).isEqualTo(expectedInts);
  }

  /** Equal keys keep the order of their values. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 50, 9000})
  void valuesMoveWithTheirKeys(int size) {
    int[] keys = random.ints(size, -20, 20).toArray();
    Integer[] order = IntStream.range(0, size).boxed().toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparing(i -> keys[i]));
    int[] positions = Arrays.stream(order).mapToInt(i -> i).toArray();
    long[] longPositions = Arrays.stream(positions).asLongStream().toArray();
    Sorter sorter = RadixSort.onCores();

    int[] intKeys = keys.clone();
    int[] intValues = IntStream.range(0, size).toArray();
    sorter.sort(intKeys, intValues);
    assertThat(intKeys).isSorted();
    assertThat(intValues).isEqualTo(positions);

    long[] longKeys = Arrays.stream(keys).asLongStream().toArray();
    long[] longValues = IntStream.range(0, size).asLongStream().toArray();
    sorter.sort(longKeys, longValues);
    assertThat(longKeys).isSorted();
    assertThat(longValues).isEqualTo(longPositions);

    double[] doubleKeys = Arrays.stream(keys).asDoubleStream().toArray();
    String[] texts = IntStream.range(0, size).mapToObj(Integer::toString).toArray(String[]::new);
    sorter.sort(doubleKeys, texts);
    assertThat(doubleKeys).isSorted();
    assertThat(texts)
        .isEqualTo(Arrays.stream(order).map(i -> Integer.toString(i)).toArray(String[]::new));

    float[] floatKeys = new float[size];
    for (int i = 0; i < size; i++) {
      floatKeys[i] = keys[i];
    }
    for (Runnable sort :
        new Runnable[] {
          () -> sorter.sort(floatKeys.clone(), IntStream.range(0, size).toArray()),
          () -> sorter.sort(floatKeys.clone(), new long[size]),
          () -> sorter.sort(floatKeys, texts),
          () -> sorter.sort(keys.clone(), new long[size]),
          () -> sorter.sort(keys.clone(), texts),
          () -> sorter.sort(longKeys, new int[size]),
          () -> sorter.sort(longKeys, texts),
          () -> sorter.sort(doubleKeys, new int[size]),
          () -> sorter.sort(doubleKeys, new long[size]),
        }) {
      sort.run();
    }
    assertThat(floatKeys).isSorted();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sorter.sort(intKeys, new int[size + 1]))
        .withMessage("%d values for %d keys".formatted(size + 1, size));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 50, 1000, 9000, 70_000})
  void numbersAreSortedAsTheLanguageSortsThem(int size) {
    float[] floats = new float[size];
    double[] doubles = new double[size];
    for (int i = 0; i < size; i++) {
      boolean special = random.nextInt(8) == 0;
      doubles[i] = special ? FLOATS[random.nextInt(FLOATS.length)] : random.nextDouble(-1e9, 1e9);
      floats[i] = (float) doubles[i];
    }
    float[] sortedFloats = floats.clone();
    Arrays.sort(sortedFloats);
    RadixSort.sort(floats);
    assertThat(floats).isEqualTo(sortedFloats);
    RadixSort.sortDescending(floats);
    assertThat(floats).isSortedAccordingTo(Collections.reverseOrder(Float::compare));
    double[] sortedDoubles = doubles.clone();
    Arrays.sort(sortedDoubles);
    RadixSort.sort(doubles);
    assertThat(doubles).isEqualTo(sortedDoubles);
    RadixSort.sortDescending(doubles);
    assertThat(doubles).isSortedAccordingTo(Collections.reverseOrder(Double::compare));
  }

  @Test
  void orderIsThatOfTheKeysAndThenOfTheIndices() {
    int size = 40_000;
    int[] ints = random.ints(size, -50, 50).toArray();
    assertThat(RadixSort.argsort(ints)).isEqualTo(order(size, i -> ints[i]));
    long[] longs = IntStream.of(ints).asLongStream().map(key -> key << 40).toArray();
    assertThat(RadixSort.argsort(longs)).isEqualTo(order(size, i -> longs[i]));
    double[] doubles = IntStream.of(ints).mapToDouble(key -> key / 7.0).toArray();
    assertThat(RadixSort.argsort(doubles)).isEqualTo(order(size, i -> doubles[i]));
    float[] floats = new float[size];
    for (int i = 0; i < size; i++) {
      floats[i] = FLOATS[Math.floorMod(ints[i], FLOATS.length)];
    }
    assertThat(RadixSort.argsort(floats)).isEqualTo(order(size, i -> floats[i]));
  }

  @Test
  void orderOfKeysInMemory() {
    int[] keys = random.ints(1000, 0, 40).toArray();
    try (Engine engine = Engine.open("cpu");
        Arena arena = Arena.ofConfined()) {
      Sorter sorter = RadixSort.with(engine);
      MemorySegment memory = arena.allocate(4 * 1000 + 1).asSlice(1);
      MemorySegment.copy(keys, 0, memory, ValueLayout.JAVA_INT_UNALIGNED, 0, keys.length);
      assertThat(sorter.argsort(memory, KeyType.U32)).isEqualTo(order(1000, i -> keys[i]));
      assertThat(sorter.descending().argsort(memory, KeyType.I32))
          .isEqualTo(order(1000, i -> -keys[i]));
      assertThat(sorter.argsort(memory.asSlice(0, 0), KeyType.F64)).isEmpty();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sorter.argsort(memory.asSlice(0, 9), KeyType.U32))
          .withMessageContaining("9 bytes");
    }
  }

  private static int[] order(int size, IntToDoubleFunction key) {
    return IntStream.range(0, size)
        .boxed()
        .sorted(Comparator.comparingDouble(key::applyAsDouble))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  @Test
  void anEngineAMethodAndAnOrderMayBeChosen() {
    try (Engine engine = Engine.open("cpu")) {
      for (String method : engine.sorts().methods(RecordFormat.of(KeyType.U64))) {
        long[] keys = random.longs(5000).toArray();
        RadixSort.with(engine).unsigned().descending().by(method).sort(keys);
        assertThat(keys)
            .as(method)
            .isSortedAccordingTo(Collections.reverseOrder(Long::compareUnsigned));
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> RadixSort.with(engine).by("bogo").sort(new int[2]))
          .withMessageContaining("bogo")
          .withMessageContaining("msd-lsd");
    }
  }

  @Test
  void payloadsGoWithTheirKeys() {
    try (Engine engine = Engine.open("cpu")) {
      int[] pairs = new int[2 * 3000];
      for (int i = 0; i < pairs.length; i += 2) {
        pairs[i] = random.nextInt(100);
        pairs[i + 1] = i;
      }
      RadixSort.with(engine).sort(MemorySegment.ofArray(pairs), KeyType.I32, Integer.BYTES);
      for (int i = 2; i < pairs.length; i += 2) {
        assertThat(pairs[i]).isGreaterThanOrEqualTo(pairs[i - 2]);
        if (pairs[i] == pairs[i - 2]) {
          assertThat(pairs[i + 1]).isGreaterThan(pairs[i - 1]);
        }
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() ->
              RadixSort.with(engine).sort(MemorySegment.ofArray(new byte[11]), KeyType.I32, 4))
          .withMessageContaining("size 11 is not a multiple of 8");
    }
  }
}
