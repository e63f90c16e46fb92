package io.fieldstone.cuda.sorting.delta;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cuda.sorting.SortLayout;
import io.fieldstone.cuda.sorting.delta.DeltaKernel.KeyCode;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests delta kernels against the definition of bit-ordered keys. */
class DeltaKernelTest {

  private static final int ROW = 64;
  private static final int ROWS = 64;

  private final SplittableRandom random = new SplittableRandom(5);

  @ParameterizedTest
  @EnumSource(KeyType.class)
  void kernelsFindKeysOfTheRanks(KeyType type) {
    for (RecordFormat format :
        new RecordFormat[] {RecordFormat.of(type), RecordFormat.of(type).descending()}) {
      KeyCode code = SortLayout.ofRecords(format, 1000).keyCode();
      for (int width = 0; width < type.bytes() * 8; width++) {
        check(new ScalarDeltaKernel(), format, code, width);
        if (VectorDeltaKernel.isSupported()) {
          check(new VectorDeltaKernel(), format, code, width);
        }
        for (NativeLevel level : NativeLibrary.get().levels(NonTemporalDeltaKernel.INTS)) {
          check(new NonTemporalDeltaKernel(level), format, code, width);
        }
      }
    }
  }

  private void check(DeltaKernel kernel, RecordFormat format, KeyCode code, int width) {
    int keyBytes = format.key().bytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment rows = arena.allocate(ROW * (ROWS + 3L), ROW);
      MemorySegment keys = arena.allocate((long) ROW * ROWS, ROW);
      for (long i = 0; i < rows.byteSize(); i++) {
        rows.set(JAVA_BYTE, i, (byte) random.nextInt());
      }
      if (keyBytes == Integer.BYTES) {
        kernel.decodeInts(rows.address(), width, code, keys.address());
      } else {
        kernel.decodeLongs(rows.address(), width, code, keys.address());
      }
      int columns = ROW / keyBytes;
      for (int column = 0; column < columns; column++) {
        long bitOrdered = get(rows, column, keyBytes);
        for (int row = 0; row < ROWS; row++) {
          bitOrdered =
              (bitOrdered + bits(rows, column, row * width, width, keyBytes))
                  & format.maxBitOrdered();
          long key = get(keys, row * columns + column, keyBytes);
          if (!isNan(format.key(), bitOrdered, format)) {
            assertThat(format.bitOrdered(key))
                .as("%s, %d bits", format, width)
                .isEqualTo(bitOrdered);
          }
        }
      }
    }
  }

  /** All NaNs have the same bit-ordered key, so their bits cannot be restored. */
  private static boolean isNan(KeyType type, long bitOrdered, RecordFormat format) {
    if (!type.isFloating()) {
      return false;
    }
    long nan = format.bitOrdered(type.bytes() == 4 ? 0x7FC0_0000L : 0x7FF8_0000_0000_0000L);
    long infinity = format.bitOrdered(type.bytes() == 4 ? 0x7F80_0000L : 0x7FF0_0000_0000_0000L);
    long least = format.bitOrdered(type.bytes() == 4 ? 0xFF80_0000L : 0xFFF0_0000_0000_0000L);
    boolean isAscending = Long.compareUnsigned(infinity, nan) < 0;
    return isAscending
        ? Long.compareUnsigned(bitOrdered, infinity) > 0
            || Long.compareUnsigned(bitOrdered, least) < 0
        : Long.compareUnsigned(bitOrdered, infinity) < 0
            || Long.compareUnsigned(bitOrdered, least) > 0;
  }

  private static long bits(MemorySegment rows, int column, int first, int width, int keyBytes) {
    int wordBits = keyBytes * 8;
    int columns = ROW / keyBytes;
    long bits = 0;
    for (int i = 0; i < width; i++) {
      long word = get(rows, columns * (1 + (first + i) / wordBits) + column, keyBytes);
      bits |= (word >>> ((first + i) % wordBits) & 1) << i;
    }
    return bits;
  }

  private static long get(MemorySegment memory, int i, int keyBytes) {
    return keyBytes == Integer.BYTES
        ? Integer.toUnsignedLong(memory.getAtIndex(JAVA_INT, i))
        : memory.getAtIndex(JAVA_LONG, i);
  }
}
