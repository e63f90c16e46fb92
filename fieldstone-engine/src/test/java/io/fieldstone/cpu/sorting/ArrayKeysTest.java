package io.fieldstone.cpu.sorting;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
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

  /** Rising or falling keys, of which one may be wrong, at any place. */
  @ParameterizedTest
  @EnumSource(KeyType.class)
  void oneKeyOutOfOrderIsFoundAnywhere(KeyType type) {
    RecordFormat format = RecordFormat.of(type);
    for (int size = 2; size <= SIZE - START; size++) {
      for (boolean reversed : new boolean[] {false, true}) {
        MemorySegment array = ordered(type, reversed);
        ArrayKeys keys = ArrayKeys.of(format, records(array)).orElseThrow();
        assertThat(keys.areOrdered(0, size - 1, reversed)).isTrue();
        assertThat(keys.areOrdered(0, size - 1, !reversed)).isFalse();
        for (int wrong = 0; wrong < size; wrong++) {
          MemorySegment changed = ordered(type, reversed);
          int other = wrong == 0 ? size - 1 : 0;
          long bytes = type.bytes();
          MemorySegment.copy(
              array, (START + other) * bytes, changed, (START + wrong) * bytes, bytes);
          boolean isOrdered = size == 2 || wrong == 1;
          assertThat(
                  ArrayKeys.of(format, records(changed))
                      .orElseThrow()
                      .areOrdered(0, size - 1, reversed))
              .as("%s, key %d of %d, reversed %b", type, wrong, size, reversed)
              .isEqualTo(isOrdered);
        }
      }
    }
  }

  /** NaNs of any bits: what is called in order can stay, and what is called reversed has none. */
  @Test
  void notANumberNeverCountsAsANumber() {
    SplittableRandom random = new SplittableRandom(19);
    int[] nans = {0x7FC0_0000, 0x7FC0_0001, 0x7F80_0001, 0xFFC0_0000, 0xFFC0_0001};
    int[] ordered = new int[2];
    for (int trial = 0; trial < 20_000; trial++) {
      float[] floats = new float[START + 1 + random.nextInt(12)];
      double[] doubles = new double[floats.length];
      int numbers = random.nextInt(floats.length);
      for (int i = 0; i < floats.length; i++) {
        boolean isNan = trial % 2 == 0 ? i >= numbers : i < numbers;
        floats[i] =
            isNan
                ? Float.intBitsToFloat(nans[random.nextInt(nans.length)])
                : trial % 4 < 2 ? i : -i;
        doubles[i] =
            isNan
                ? Double.longBitsToDouble(
                    0x7FF0_0000_0000_0000L | (long) Float.floatToRawIntBits(floats[i]) << 32)
                : floats[i];
      }
      for (MemorySegment array :
          new MemorySegment[] {MemorySegment.ofArray(floats), MemorySegment.ofArray(doubles)}) {
        KeyType type =
            array.heapBase().orElseThrow() instanceof float[] ? KeyType.F32 : KeyType.F64;
        RecordFormat format = RecordFormat.of(type);
        MemorySegment records = array.asSlice((long) type.bytes() * START);
        int last = floats.length - START - 1;
        ArrayKeys keys = ArrayKeys.of(format, records).orElseThrow();
        for (boolean reversed : new boolean[] {false, true}) {
          if (keys.areOrdered(0, last, reversed)) {
            assertThat(expected(format, records, 0, last, reversed)).isTrue();
            ordered[reversed ? 1 : 0]++;
          }
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

  /** Returns different keys on both sides of zero, or of the middle of the range. */
  private static MemorySegment ordered(KeyType type, boolean falling) {
    int[] ints = new int[SIZE];
    long[] longs = new long[SIZE];
    float[] floats = new float[SIZE];
    double[] doubles = new double[SIZE];
    for (int i = 0; i < SIZE; i++) {
      int rank = falling ? SIZE - 1 - i : i;
      int signed = rank - SIZE / 2;
      ints[i] = type == KeyType.U32 ? signed ^ Integer.MIN_VALUE : signed;
      longs[i] = type == KeyType.U64 ? signed ^ Long.MIN_VALUE : signed;
      floats[i] = signed;
      doubles[i] = signed;
    }
    return segment(type, ints, longs, floats, doubles);
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
    return segment(type, ints, longs, floats, doubles);
  }

  private static MemorySegment segment(
      KeyType type, int[] ints, long[] longs, float[] floats, double[] doubles) {
    return switch (type) {
      case I32, U32 -> MemorySegment.ofArray(ints);
      case I64, U64 -> MemorySegment.ofArray(longs);
      case F32 -> MemorySegment.ofArray(floats);
      case F64 -> MemorySegment.ofArray(doubles);
    };
  }
}
