package io.fieldstone.cuda.sorting.delta;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Decodes a row at a time and writes it with non-temporal stores, by the C kernels of copies.c.
 * This is as fast as {@link NonTemporalCopy} alone, and a quarter faster than {@link
 * VectorDeltaKernel} and a copy. The target must be aligned to a cache line. Other threads see the
 * keys only after a {@link NonTemporalCopy#fence}.
 */
final class NonTemporalDeltaKernel implements DeltaKernel {

  /** Name of the kernel for keys of 32 bits in {@code fs_NAME_LEVEL}. */
  static final String INTS = "decode_ints";

  private static final String LONGS = "decode_longs";

  /** Its first argument is the kernel's address. */
  private static final MethodHandle DECODE =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.ofVoid(
                  JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG),
              Linker.Option.critical(false));

  private static final Optional<NonTemporalDeltaKernel> INSTANCE =
      NativeLibrary.get().levels(INTS).stream().findFirst().map(NonTemporalDeltaKernel::new);

  private final MemorySegment ints;
  private final MemorySegment longs;

  /** Makes the kernel of a level. */
  NonTemporalDeltaKernel(NativeLevel level) {
    ints = NativeLibrary.get().function(INTS, level);
    longs = NativeLibrary.get().function(LONGS, level);
  }

  /** Returns the kernel, or empty if the native kernels are missing. */
  static Optional<NonTemporalDeltaKernel> find() {
    return INSTANCE;
  }

  @Override
  public void decodeInts(long rows, int width, KeyCode code, long keys) {
    decode(ints, rows, width, code, keys);
  }

  @Override
  public void decodeLongs(long rows, int width, KeyCode code, long keys) {
    decode(longs, rows, width, code, keys);
  }

  private static void decode(
      MemorySegment function, long rows, int width, KeyCode code, long keys) {
    try {
      DECODE.invokeExact(
          function, keys, rows, width, code.direction(), code.floating(), code.sign());
    } catch (Throwable thrown) {
      throw new AssertionError(thrown);
    }
  }
}
