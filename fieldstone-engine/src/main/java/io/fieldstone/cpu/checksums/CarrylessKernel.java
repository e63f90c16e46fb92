package io.fieldstone.cpu.checksums;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.NativeCall;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.util.Optional;

/**
 * Folds a message by carry-less multiplication, with the C kernels of checksums.c (Gopal et al.,
 * "Fast CRC computation for generic polynomials using PCLMULQDQ", 2009). All degrees and both
 * orders of bits are equally fast. Messages of fewer than {@value #MIN_BYTES} bytes are divided by
 * tables, which is faster.
 */
final class CarrylessKernel implements SegmentKernel {

  /** Name in {@code fs_NAME_LEVEL}. */
  static final String NAME = "divide";

  private static final int MIN_BYTES = 96;

  /** Bytes per call, of at most 0.1 ms: the garbage collector has to wait for a call. */
  private static final long CALL_BYTES = 1 << 20;

  /** A constant, so that calls are compiled inline; its first argument is the kernel's address. */
  private static final MethodHandle DIVIDE =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT),
              Linker.Option.critical(true));

  private final Divisor divisor;
  private final SegmentKernel tables;
  private final MemorySegment function;
  private final MemorySegment powers;
  private final int highBitFirst;

  /**
   * Makes the kernel of a level.
   *
   * @param tables divide short messages
   */
  CarrylessKernel(NativeLibrary library, NativeLevel level, Divisor divisor, SegmentKernel tables) {
    this.divisor = divisor;
    this.tables = tables;
    this.function = library.function(NAME, level);
    this.powers = CarrylessPowers.of(divisor);
    this.highBitFirst = divisor.lowBitFirst() ? 0 : 1;
    // Links the call. Each of several threads would do that for itself, and wait for the others.
    divide(0, MemorySegment.ofArray(new byte[MIN_BYTES]));
  }

  /** Makes the kernel of the highest level; empty if there is none. */
  static Optional<SegmentKernel> of(NativeLibrary library, Divisor divisor, SegmentKernel tables) {
    return library.levels(NAME).stream()
        .findFirst()
        .map(level -> new CarrylessKernel(library, level, divisor, tables));
  }

  @Override
  public long append(long register, long address, long bytes) {
    return bytes < MIN_BYTES
        ? tables.append(register, address, bytes)
        : divide(register, Rows.MEMORY.asSlice(address, bytes));
  }

  /** The call keeps the memory open. */
  @Override
  public long append(long register, MemorySegment message) {
    return message.byteSize() < MIN_BYTES
        ? tables.append(register, message)
        : divide(register, message);
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    return length < MIN_BYTES
        ? tables.append(register, array, from, length)
        : divide(register, MemorySegment.ofArray(array).asSlice(from, length));
  }

  private long divide(long register, MemorySegment message) {
    long overlay = divisor.overlay(register);
    long bytes = message.byteSize();
    long at = 0;
    for (; bytes - at >= 2 * CALL_BYTES; at += CALL_BYTES) {
      overlay = divide(overlay, message.asSlice(at), CALL_BYTES);
    }
    return divisor.register(divide(overlay, message.asSlice(at), bytes - at));
  }

  /** Divides by one call, and returns the overlay of the register. */
  private long divide(long overlay, MemorySegment message, long bytes) {
    try {
      return (long)
          DIVIDE.invokeExact(function, powers.address(), overlay, message, bytes, highBitFirst);
    } catch (Throwable e) {
      throw NativeCall.unexpected(e);
    } finally {
      Reference.reachabilityFence(powers);
    }
  }
}
