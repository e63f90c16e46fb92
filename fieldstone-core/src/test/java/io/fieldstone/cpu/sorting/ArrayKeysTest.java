package io.fieldstone.cpu.sorting;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArrayKeysTest {

  private static final int SIZE = 40;
  private static final int START = 3;

  /** Few values, among them zeros of both signs and NaNs, in and out of order. */
  @ParameterizedTest
  @EnumSource(KeyType.class)
  void orderIsThatOfBitOrderedKeys(KeyType type) {
    SplittableRandom random = new SplittableRandom(17);
    int[] ordered = new int[2];
    for (Direction direction : Direction.values()) {
      RecordFormat format = new RecordFormat(type, 0, direction);
      if (type.isFloating() && direction == Direction.DESCENDING) {
        assertThat(ArrayKeys.of(format, records(array(type, random)))).isEmpty();
        continue;
      }
      for (int trial = 0; trial < 20_000; trial++) {
        MemorySegment records = records(array(type, random));
        ArrayKeys keys = ArrayKeys.of(format, records).orElseThrow();
        int first = random.nextInt(SIZE - START);
        int last = Math.min(SIZE - START - 1, first + random.nextInt(6));
        for (boolean reversed : new boolean[] {false, true}) {
          boolean expected = expected(format, records, first, last, reversed);
          assertThat(keys.areOrdered(first, last, reversed))
              .as("%s, %d … %d, reversed %b", format, first, last, reversed)
              .isEqualTo(expected);
          ordered[reversed ? 1 : 0] += expected && last > first ? 1 : 0;
        }
      }
    }
    assertThat(ordered[0]).isPositive();
    assertThat(ordered[1]).isPositive();
  }

  @ParameterizedTest
  @EnumSource(KeyType.class)
  void keysAreExchangedAndNoOthers(KeyType type) {
    SplittableRandom random = new SplittableRandom(18);
    RecordFormat format = RecordFormat.of(type);
    MemorySegment array = array(type, random);
    MemorySegment before = MemorySegment.ofArray(array.toArray(JAVA_BYTE));
    ArrayKeys.of(format, records(array)).orElseThrow().exchange(5, 30, 4);
    long bytes = type.bytes();
    for (int i = 0; i < SIZE; i++) {
      int key = i - START;
      boolean isExchanged = (key >= 5 && key < 9) || (key > 26 && key <= 30);
      int from = START + (isExchanged ? 35 - key : key);
      assertThat(array.asSlice(i * bytes, bytes).mismatch(before.asSlice(from * bytes, bytes)))
          .as("key %d", key)
          .isEqualTo(-1);
    }
  }

  private static boolean expected(
      RecordFormat format, MemorySegment records, int first, int last, boolean reversed) {
    boolean isOrdered = true;
    for (int i = first; i <= last; i++) {
      long key = bitOrdered(format, records, i);
      long next = bitOrdered(format, records, Math.min(i + 1, last));
      int order = Long.compareUnsigned(key, next);
      isOrdered &= reversed ? order >= 0 : order <= 0;
      isOrdered &= !(reversed && last > first && isNan(records, i));
    }
    return isOrdered;
  }

  private static long bitOrdered(RecordFormat format, MemorySegment records, int key) {
    return format.bitOrdered(records, (long) key * format.bytes());
  }

  private static boolean isNan(MemorySegment records, int key) {
    return switch (records.heapBase().orElseThrow()) {
      case float[] keys -> Float.isNaN(keys[START + key]);
      case double[] keys -> Double.isNaN(keys[START + key]);
      default -> false;
    };
  }

  /** Returns the keys after the first few of an array. */
  private static MemorySegment records(MemorySegment array) {
    return array.asSlice(array.byteSize() / SIZE * START);
  }

  private static MemorySegment array(KeyType type, SplittableRandom random) {
    long[] values = {-1, 0, 1, 1L << type.bytes() * 8 - 1, 5};
    double[] numbers = {-1.5, -0.0, 0.0, 2, Double.NaN};
    int[] ints = new int[SIZE];
    long[] longs = new long[SIZE];
    float[] floats = new float[SIZE];
    double[] doubles = new double[SIZE];
    for (int i = 0; i < SIZE; i++) {
      int which = random.nextInt(values.length);
      longs[i] = values[which];
      ints[i] = (int) values[which];
      doubles[i] = numbers[which];
      floats[i] = (float) numbers[which];
    }
    return switch (type) {
      case I32, U32 -> MemorySegment.ofArray(ints);
      case I64, U64 -> MemorySegment.ofArray(longs);
      case F32 -> MemorySegment.ofArray(floats);
      case F64 -> MemorySegment.ofArray(doubles);
    };
  }
}
