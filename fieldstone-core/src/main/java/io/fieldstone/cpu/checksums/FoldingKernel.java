package io.fieldstone.cpu.checksums;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.ScratchPool.Scratch;
import io.fieldstone.engine.checksums.Divisor;
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
  private static final int MIN_BYTES_NARROW = 192;

  private static final int MIN_BYTES_WIDE = 256;

  /** From here on spans are folded before vectors. */
  private static final int MIN_FOR_SPANS = 2 * PlaneFold.SPAN;

  /** Vectors of longer ones might be more than an {@code int} says. */
  private static final long MAX_BYTES = 1 << 30;

  /** Of an array so much is copied at once: a strip, the tables and the work fit L1. */
  private static final int STRIP_SPANS = 20;

  private static final int STRIP_BYTES = STRIP_SPANS * PlaneFold.SPAN;

  private final Divisor divisor;
  private final FoldingResources resources;
  private final RemainderKernel tables;
  private final LaneFold lanes;
  private final Optional<PlaneFold> planes;
  private final int leastBytes;

  /** A kernel for whatever comes: the loops begin to warm up when there is enough to fold. */
  FoldingKernel(Divisor divisor, FoldingResources resources) {
    this.divisor = divisor;
    this.resources = resources;
    tables = SlicingKernel.by16(divisor);
    lanes = new LaneFold(divisor);
    planes = PlaneFold.of(divisor);
    leastBytes = lanes.isWide() ? MIN_BYTES_WIDE : MIN_BYTES_NARROW;
  }

  /** A kernel for use: its loops begin to warm up. */
  static FoldingKernel of(Divisor divisor, FoldingResources resources) {
    resources.startWarmUp();
    return new FoldingKernel(divisor, resources);
  }

  /** What it divides by when it does not fold. */
  RemainderKernel tables() {
    return tables;
  }

  @Override
  public long append(long register, long address, long bytes) {
    return bytes >= leastBytes && resources.isCompiledFor(bytes)
        ? fold(register, address, bytes)
        : tables.append(register, address, bytes);
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    return length >= leastBytes && resources.isCompiledFor(length)
        ? fold(register, array, from, length)
        : tables.append(register, array, from, length);
  }

  @Override
  public void awaitCompiled() {
    resources.awaitCompiled();
  }

  @Override
  public void close() {
    resources.close();
  }

  /** Passes through the loops once, for the compiler. */
  void callLoops() {
    try (Scratch scratch = resources.take(Work.BYTES)) {
      long work = scratch.segment().address();
      planes.orElseThrow().fold(work, work + Work.STRIP, 1, work + Work.PLANES);
      lanes.fold(work, work + Work.STRIP, 1);
    }
  }

  private long fold(long register, long address, long bytes) {
    try (Scratch scratch = resources.take(Work.BYTES)) {
      long work = scratch.segment().address();
      long remainder = register;
      for (long done = 0; done < bytes; done += MAX_BYTES) {
        long piece = Math.min(MAX_BYTES, bytes - done);
        remainder = foldPiece(remainder, address + done, piece, work);
      }
      return remainder;
    }
  }

  /** Folds an array in strips, in native memory as the loops want it. */
  long fold(long register, byte[] array, int from, int length) {
    try (Scratch scratch = resources.take(Work.BYTES)) {
      long work = scratch.segment().address();
      return planes.isPresent() && length > STRIP_BYTES
          ? foldStrips(register, array, from, length, work)
          : foldEachStrip(register, array, from, length, work);
    }
  }

  /** Folds all into one span, which goes from strip to strip. */
  private long foldStrips(long register, byte[] array, int from, int length, long work) {
    PlaneFold fold = planes.orElseThrow();
    long strip = work + Work.STRIP;
    copy(array, from, STRIP_BYTES, strip);
    begin(register, strip, PlaneFold.SPAN, work);
    fold.fold(work, strip + PlaneFold.SPAN, STRIP_SPANS - 1, work + Work.PLANES);
    int done = STRIP_BYTES;
    for (; length - done >= STRIP_BYTES; done += STRIP_BYTES) {
      copy(array, from + done, STRIP_BYTES, strip);
      fold.fold(work, strip, STRIP_SPANS, work + Work.PLANES);
    }
    copy(array, from + done, length - done, strip);
    return finishSpan(strip, length - done, work);
  }

  /** Folds each strip for itself. */
  private long foldEachStrip(long register, byte[] array, int from, int length, long work) {
    long strip = work + Work.STRIP;
    long remainder = register;
    for (int done = 0; done < length; done += STRIP_BYTES) {
      int bytes = Math.min(STRIP_BYTES, length - done);
      copy(array, from + done, bytes, strip);
      remainder = foldPiece(remainder, strip, bytes, work);
    }
    return remainder;
  }

  private static void copy(byte[] array, int from, int bytes, long strip) {
    MemorySegment.copy(array, from, MEMORY, JAVA_BYTE, strip, bytes);
  }

  private long foldPiece(long register, long address, long bytes, long work) {
    if (bytes < leastBytes) {
      return tables.append(register, address, bytes);
    }
    if (bytes < MIN_FOR_SPANS || planes.isEmpty()) {
      begin(register, address, LaneFold.V, work);
      return finishVector(address + LaneFold.V, bytes - LaneFold.V, work);
    }
    begin(register, address, PlaneFold.SPAN, work);
    return finishSpan(address + PlaneFold.SPAN, bytes - PlaneFold.SPAN, work);
  }

  /** The beginning of a message, with the register in it, as what there is to fold into. */
  private void begin(long register, long address, long bytes, long state) {
    MemorySegment.copy(MEMORY, address, MEMORY, state, bytes);
    MEMORY.set(WORD, state, MEMORY.get(WORD, state) ^ divisor.overlay(register));
  }

  /** The register after a span and what comes after it. */
  private long finishSpan(long address, long bytes, long work) {
    int spans = (int) (bytes / PlaneFold.SPAN);
    planes.orElseThrow().fold(work, address, spans, work + Work.PLANES);
    lanes.fold(work, work + LaneFold.V, PlaneFold.PLANES - 1);
    long folded = (long) spans * PlaneFold.SPAN;
    return finishVector(address + folded, bytes - folded, work);
  }

  /** The register after a vector and what comes after it. */
  private long finishVector(long address, long bytes, long work) {
    int vectors = (int) (bytes / LaneFold.V);
    lanes.fold(work, address, vectors);
    long folded = (long) vectors * LaneFold.V;
    long remainder = tables.append(0, work, LaneFold.V);
    return tables.append(remainder, address + folded, bytes - folded);
  }

  /** What is where in the memory to work in, which begins with the vector or span folded into. */
  private static final class Work {
    static final long PLANES = PlaneFold.SPAN;
    static final long STRIP = PLANES + PlaneFold.WORK;
    static final long BYTES = STRIP + STRIP_BYTES;

    private Work() {}
  }
}
