package io.fieldstone.cpu;

import static io.fieldstone.cpu.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.ScratchPool.Scratch;
import io.fieldstone.engine.Divisor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Folds a message by lane shuffles, first by spans of many vectors, then by vectors, and divides
 * what is left by tables.
 *
 * <p>To fold is to replace the beginning of a message by a sum on what comes after it that has the
 * same remainder; for any polynomial that is a linear map of bits, which tables in vectors of 64
 * bytes look up for 64 bytes at once. Processors that multiply without carries fold by that
 * instruction (Gopal et al., "Fast CRC computation for generic polynomials using PCLMULQDQ", 2009);
 * Java has no access to it.
 *
 * <p>Tables do all of the work until the compiler has made vector instructions of the loops, and
 * where vectors have not 64 bytes.
 */
final class FoldingKernel implements RemainderKernel {

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Shorter messages are divided by tables before a fold is set up and its result divided. */
  private static final int LEAST_BYTES_NARROW = 192;

  private static final int LEAST_BYTES_WIDE = 256;

  /** From here on spans are folded before vectors. */
  private static final int LEAST_FOR_SPANS = 2 * PlaneFold.SPAN;

  /** Vectors of longer ones might be more than an {@code int} says. */
  private static final long MOST_BYTES = 1 << 30;

  /** Of an array so much is copied at once: it stays in L2, and setting up a fold is a trifle. */
  private static final int STRIP_BYTES = 64 << 10;

  private final Divisor divisor;
  private final FoldingResources resources;
  private final RemainderKernel tables;
  private final LaneFold lanes;
  private final Optional<PlaneFold> planes;
  private final int leastBytes;

  FoldingKernel(Divisor divisor, FoldingResources resources) {
    this.divisor = divisor;
    this.resources = resources;
    tables = SlicingKernel.by16(divisor);
    lanes = new LaneFold(divisor);
    planes = PlaneFold.of(divisor);
    leastBytes = lanes.isWide() ? LEAST_BYTES_WIDE : LEAST_BYTES_NARROW;
  }

  /** A kernel for use: its loops begin to warm up. */
  static FoldingKernel of(Divisor divisor, FoldingResources resources) {
    if (FoldingResources.vectorsAreLong()) {
      resources.warmUp();
    }
    return new FoldingKernel(divisor, resources);
  }

  /** What it divides by when it does not fold. */
  RemainderKernel tables() {
    return tables;
  }

  @Override
  public long append(long register, long address, long bytes) {
    return bytes >= leastBytes && resources.isWarm()
        ? fold(register, address, bytes)
        : tables.append(register, address, bytes);
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    return length >= leastBytes && resources.isWarm()
        ? fold(register, array, from, length)
        : tables.append(register, array, from, length);
  }

  @Override
  public void awaitFullSpeed() {
    if (FoldingResources.vectorsAreLong()) {
      resources.warmUp().await();
    }
  }

  @Override
  public void close() {
    resources.close();
  }

  private long fold(long register, long address, long bytes) {
    try (Scratch scratch = resources.take(Work.BYTES)) {
      long work = scratch.segment().address();
      long remainder = register;
      for (long done = 0; done < bytes; done += MOST_BYTES) {
        int piece = (int) Math.min(MOST_BYTES, bytes - done);
        remainder = foldPiece(remainder, address + done, piece, work);
      }
      return remainder;
    }
  }

  /** Folds an array in strips, in native memory as the loops want it. */
  long fold(long register, byte[] array, int from, int length) {
    try (Scratch scratch = resources.take(Work.BYTES)) {
      MemorySegment memory = scratch.segment();
      long remainder = register;
      for (int done = 0; done < length; done += STRIP_BYTES) {
        int bytes = Math.min(STRIP_BYTES, length - done);
        MemorySegment.copy(array, from + done, memory, JAVA_BYTE, Work.STRIP, bytes);
        long strip = memory.address() + Work.STRIP;
        remainder = foldPiece(remainder, strip, bytes, memory.address());
      }
      return remainder;
    }
  }

  private long foldPiece(long register, long address, int bytes, long work) {
    if (bytes < leastBytes) {
      return tables.append(register, address, bytes);
    }
    long state = work + Work.STATE;
    long at = address;
    long end = address + bytes;
    if (bytes >= LEAST_FOR_SPANS && planes.isPresent()) {
      begin(register, at, PlaneFold.SPAN, state);
      at += PlaneFold.SPAN;
      int spans = (int) ((end - at) / PlaneFold.SPAN);
      planes.orElseThrow().fold(state, at, spans, work + Work.PLANES);
      at += (long) spans * PlaneFold.SPAN;
      lanes.fold(state, state + LaneFold.V, PlaneFold.PLANES - 1);
    } else {
      begin(register, at, LaneFold.V, state);
      at += LaneFold.V;
    }
    int vectors = (int) ((end - at) / LaneFold.V);
    lanes.fold(state, at, vectors);
    at += (long) vectors * LaneFold.V;
    return tables.append(tables.append(0, state, LaneFold.V), at, end - at);
  }

  /** The beginning of a message with the register in it. */
  private void begin(long register, long address, long bytes, long state) {
    MemorySegment.copy(MEMORY, address, MEMORY, state, bytes);
    MEMORY.set(WORD, state, MEMORY.get(WORD, state) ^ divisor.overlay(register));
  }

  /** Where what is in the memory to work in. */
  private static final class Work {
    static final long STATE = 0;
    static final long PLANES = STATE + PlaneFold.SPAN;
    static final long STRIP = PLANES + PlaneFold.WORK;
    static final long BYTES = STRIP + STRIP_BYTES;

    private Work() {}
  }
}
