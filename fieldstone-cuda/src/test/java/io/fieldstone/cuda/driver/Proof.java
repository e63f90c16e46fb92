package io.fieldstone.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The kernel of {@code proof.cu}, its struct, and its Java version. */
record Proof(
    long from,
    long fromStride,
    long fromPitch,
    long to,
    long toStride,
    long toPitch,
    long count,
    int rows,
    int columns,
    int value,
    int sharedBytes) {

  static final String NAME = "proof";
  static final long BYTES = 72;

  /** Returns the kernel's arguments for contiguous rows. */
  static Proof packed(long from, long to, int bytes, int value) {
    return new Proof(from, bytes, bytes, to, bytes, bytes, 1, 1, bytes, value, 1);
  }

  static MemorySegment image() {
    try (InputStream image = Proof.class.getResourceAsStream("/io/fieldstone/cuda/proof.fatbin")) {
      return MemorySegment.ofArray(image.readAllBytes());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  MemorySegment struct(Arena arena) {
    MemorySegment struct = arena.allocate(BYTES, Long.BYTES);
    long offset = 0;
    for (long member : new long[] {from, fromStride, fromPitch, to, toStride, toPitch, count}) {
      struct.set(JAVA_LONG, offset, member);
      offset += Long.BYTES;
    }
    for (int member : new int[] {rows, columns, value, sharedBytes}) {
      struct.set(JAVA_INT, offset, member);
      offset += Integer.BYTES;
    }
    return struct;
  }

  static void fake(LaunchShape shape, MemorySegment struct) {
    long[] members = struct.asSlice(0, 56).toArray(JAVA_LONG);
    int[] numbers = struct.asSlice(56).toArray(JAVA_INT);
    MemorySegment all = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    for (long matrix = 0; matrix < members[6]; matrix++) {
      for (long row = 0; row < numbers[0]; row++) {
        long from = members[0] + matrix * members[2] + row * members[1];
        long to = members[3] + matrix * members[5] + row * members[4];
        for (int column = 0; column < numbers[1]; column++) {
          byte value = (byte) (all.get(JAVA_BYTE, from + column) ^ numbers[2]);
          all.set(JAVA_BYTE, to + column, value);
        }
      }
    }
  }
}
