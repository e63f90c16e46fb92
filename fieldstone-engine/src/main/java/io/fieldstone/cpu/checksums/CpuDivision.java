package io.fieldstone.cpu.checksums;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.execution.CpuResidentBytes;
import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.checksums.ChecksumPreconditions;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.engine.memory.MemoryPreconditions;
import io.fieldstone.engine.memory.NativeAccess;
import io.fieldstone.engine.memory.ResidentBytes;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Divides messages by one kernel, long messages and batches in parallel. Pieces of a message are
 * divided separately, and their remainders are combined by the power of x for the length of a
 * piece.
 */
final class CpuDivision implements Division {

  /** Minimum bytes for a second thread to pay off. */
  private static final long SPLIT_THRESHOLD = 512 << 10;

  /** Minimum bytes of a piece. */
  private static final long MIN_PIECE = 128 << 10;

  /** Pieces per thread, which balance the load. */
  private static final int PIECES_PER_THREAD = 4;

  /** Bytes copied at a time from heap memory that is not a byte array. */
  private static final int COPIED_BYTES = 1 << 16;

  private final Engine engine;
  private final TaskPool workers;
  private final Divisor divisor;
  private final String method;
  private final RemainderKernel kernel;

  CpuDivision(
      Engine engine, TaskPool workers, Divisor divisor, String method, RemainderKernel kernel) {
    this.engine = engine;
    this.workers = workers;
    this.divisor = divisor;
    this.method = method;
    this.kernel = kernel;
  }

  RemainderKernel kernel() {
    return kernel;
  }

  @Override
  public Divisor divisor() {
    return divisor;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public void expect(long bytes) {
    kernel.expect(bytes);
  }

  @Override
  public void warmUp() {
    kernel.awaitCompiled();
  }

  @Override
  public long append(long register, MemorySegment message) {
    ChecksumPreconditions.requireRegister(divisor, register);
    MemoryPreconditions.requireAccessible(message);
    return HeldMemory.canBeClosedByOthers(message)
        ? appendShared(register, message)
        : appendWhole(register, message);
  }

  /**
   * Divides memory that another thread may free during the call. Keeping it open takes as long as
   * dividing some kilobytes, so short messages are left to kernels that notice it.
   */
  private long appendShared(long register, MemorySegment message) {
    long length = message.byteSize();
    if (length < SPLIT_THRESHOLD
        && kernel instanceof SegmentKernel safe
        && safe.acceptsSegment(length)) {
      return safe.append(register, message);
    }
    long[] remainder = new long[1];
    HeldMemory.runWithoutCallbacks(
        () -> remainder[0] = appendWhole(register, HeldMemory.unconfined(message)), message);
    return remainder[0];
  }

  private long appendWhole(long register, MemorySegment message) {
    long length = message.byteSize();
    return length < SPLIT_THRESHOLD || workers.threads() == 1
        ? append(register, message, 0, length)
        : split(register, message, 0, length);
  }

  @Override
  public long append(long register, ResidentBytes data, long offset, long length) {
    MemorySegment memory = CpuResidentBytes.memory(data, engine);
    Objects.checkFromIndexSize(offset, length, memory.byteSize());
    return append(register, memory.asSlice(offset, length));
  }

  @Override
  public void append(long register, MemorySegment data, Extents messages, MemorySegment registers) {
    ChecksumPreconditions.requireRegister(divisor, register);
    ChecksumPreconditions.requireMessages(messages, data.byteSize(), registers);
    HeldMemory.runWithoutCallbacks(
        () ->
            appendAll(
                register,
                HeldMemory.unconfined(data),
                HeldMemory.unconfined(messages),
                HeldMemory.unconfined(registers)),
        HeldMemory.of(messages, data, registers));
  }

  @Override
  public void append(long register, ResidentBytes data, Extents messages, MemorySegment registers) {
    append(register, CpuResidentBytes.memory(data, engine), messages, registers);
  }

  /** Divides messages in parallel, or pieces of each if they are long. */
  private void appendAll(
      long register, MemorySegment data, Extents messages, MemorySegment registers) {
    long count = messages.count();
    long bytes = messages.totalLength();
    if (count > 0 && bytes / count >= SPLIT_THRESHOLD) {
      for (long i = 0; i < count; i++) {
        long remainder = split(register, data, messages.offset(i), messages.length(i));
        registers.set(JAVA_LONG_UNALIGNED, i * Long.BYTES, remainder);
      }
      return;
    }
    int wanted = bytes < SPLIT_THRESHOLD ? 1 : workers.threads() * PIECES_PER_THREAD;
    int tasks = (int) Math.min(count, wanted);
    workers.forEach(
        tasks,
        task -> {
          for (long i = count * task / tasks; i < count * (task + 1) / tasks; i++) {
            long remainder = append(register, data, messages.offset(i), messages.length(i));
            registers.set(JAVA_LONG_UNALIGNED, i * Long.BYTES, remainder);
          }
        });
  }

  private long split(long register, MemorySegment data, long offset, long length) {
    long wanted = (long) workers.threads() * PIECES_PER_THREAD;
    long piece = Math.max(MIN_PIECE, roundUp(Math.ceilDiv(length, wanted)));
    int pieces = Math.toIntExact(Math.max(1, Math.ceilDiv(length, piece)));
    // The first piece has the odd length, so that all others advance the remainder by the same
    // power.
    long first = length - (pieces - 1) * piece;
    long[] remainders = new long[pieces];
    workers.forEach(
        pieces,
        i ->
            remainders[i] =
                i == 0
                    ? append(register, data, offset, first)
                    : append(0, data, offset + first + (i - 1) * piece, piece));
    Gf2Modulus modulus = divisor.modulus();
    long advance = pieces == 1 ? 1 : modulus.xToThe(piece * Byte.SIZE);
    long sum = remainders[0];
    for (int i = 1; i < pieces; i++) {
      sum = modulus.multiply(sum, advance) ^ remainders[i];
    }
    return sum;
  }

  private static long roundUp(long bytes) {
    return Math.ceilDiv(bytes, NativeRows.ALIGNMENT) * NativeRows.ALIGNMENT;
  }

  /**
   * Divides on this thread. Checks offsets again: the caller's memory may have changed meanwhile.
   */
  private long append(long register, MemorySegment data, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, data.byteSize());
    if (data.isNative() && !NativeAccess.isDenied()) {
      return kernel.append(register, data.address() + offset, length);
    }
    if (data.heapBase().orElse(null) instanceof byte[] array) {
      return kernel.append(register, array, Math.toIntExact(data.address() + offset), (int) length);
    }
    return appendCopies(register, data, offset, length);
  }

  private long appendCopies(long register, MemorySegment data, long offset, long length) {
    byte[] copy = new byte[(int) Math.min(COPIED_BYTES, length)];
    long remainder = register;
    for (long done = 0; done < length; done += copy.length) {
      int bytes = (int) Math.min(copy.length, length - done);
      MemorySegment.copy(data, JAVA_BYTE, offset + done, copy, 0, bytes);
      remainder = kernel.append(remainder, copy, 0, bytes);
    }
    return remainder;
  }
}
