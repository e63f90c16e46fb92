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
 * the rest by tables.
 *
 * <p>To fold is to add the beginning of a message to the part after it such that the remainder
 * stays the same. For any polynomial this is a linear map of bits, which tables in vectors look up
 * for 64 bytes at once. {@link CarrylessKernel} folds by carry-less multiplication, which Java has
 * no access to.
 *
 * <p>Tables are used until the loops have been compiled, and where vectors do not have 64 bytes.
 */
final class FoldingKernel implements SegmentKernel {

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Minimum bytes to fold: for shorter messages, tables are faster than the setup of a fold. */
  private static final int MIN_BYTES_NARROW = 192;

  private static final int MIN_BYTES_WIDE = 256;

  /** Minimum bytes to fold spans before vectors. */
  private static final int MIN_FOR_SPANS = 2 * PlaneFold.SPAN;

  /** Maximum bytes of a piece, so that the number of vectors fits an {@code int}. */
  private static final long MAX_BYTES = 1 << 30;

  /** Spans of an array copied at a time: a strip, the tables and the working memory fit L1. */
  private static final int STRIP_SPANS = 20;

  private static final int STRIP_BYTES = STRIP_SPANS * PlaneFold.SPAN;

  /** Maximum bytes for which a copy is faster than keeping shared memory open; it fits a strip. */
  private static final int MAX_COPIED_BYTES = 1 << 13;

  private final Divisor divisor;
  private final FoldingResources resources;
  private final SegmentKernel tables;
  private final LaneFold lanes;
  private final Optional<PlaneFold> planes;
  private final int minBytes;

  /** Makes a kernel; its warm-up starts after enough bytes have been divided. */
  FoldingKernel(Divisor divisor, FoldingResources resources) {
    this.divisor = divisor;
    this.resources = resources;
    tables = SlicingKernel.by16(divisor);
    lanes = new LaneFold(divisor);
    planes = PlaneFold.of(divisor);
    minBytes = lanes.isWide() ? MIN_BYTES_WIDE : MIN_BYTES_NARROW;
  }

  /** Returns a kernel and starts its warm-up. */
  static FoldingKernel of(Divisor divisor, FoldingResources resources) {
    resources.startWarmUp();
    return new FoldingKernel(divisor, resources);
  }

  /** Returns the kernel for messages that are not folded. */
  RemainderKernel tables() {
    return tables;
  }

  @Override
  public long append(long register, long address, long bytes) {
    return bytes >= minBytes && resources.isCompiledFor(bytes)
        ? fold(register, address, bytes)
        : tables.append(register, address, bytes);
  }

  @Override
  public long append(long register, byte[] array, int from, int length) {
    return length >= minBytes && resources.isCompiledFor(length)
        ? fold(register, array, from, length)
        : tables.append(register, array, from, length);
  }

  @Override
  public boolean acceptsSegment(long bytes) {
    return bytes <= MAX_COPIED_BYTES;
  }

  /** Folds a copy. */
  @Override
  public long append(long register, MemorySegment message) {
    long bytes = message.byteSize();
    if (bytes < minBytes || !resources.isCompiledFor(bytes)) {
      return tables.append(register, message);
    }
    try (Scratch scratch = resources.take(Work.BYTES)) {
      long work = scratch.segment().address();
      long strip = work + Work.STRIP;
      MemorySegment.copy(message, 0, MEMORY, strip, bytes);
      return foldPiece(register, strip, bytes, work);
    }
  }

  @Override
  public void awaitCompiled() {
    resources.awaitCompiled();
  }

  @Override
  public void close() {
    resources.close();
  }

  /** Runs all loops once, for the compiler. */
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

  /** Folds an array in strips, copied to native memory. */
  long fold(long register, byte[] array, int from, int length) {
    try (Scratch scratch = resources.take(Work.BYTES)) {
      long work = scratch.segment().address();
      return planes.isPresent() && length > STRIP_BYTES
          ? foldStrips(register, array, from, length, work)
          : foldEachStrip(register, array, from, length, work);
    }
  }

  /** Folds all strips into one span. */
  private long foldStrips(long register, byte[] array, int from, int length, long work) {
    PlaneFold fold = planes.orElseThrow();
    long strip = work + Work.STRIP;
    copy(array, from, STRIP_BYTES, strip);
    initialize(register, strip, PlaneFold.SPAN, work);
    fold.fold(work, strip + PlaneFold.SPAN, STRIP_SPANS - 1, work + Work.PLANES);
    int done = STRIP_BYTES;
    for (; length - done >= STRIP_BYTES; done += STRIP_BYTES) {
      copy(array, from + done, STRIP_BYTES, strip);
      fold.fold(work, strip, STRIP_SPANS, work + Work.PLANES);
    }
    copy(array, from + done, length - done, strip);
    return finishSpan(strip, length - done, work);
  }

  /** Folds each strip separately. */
  private long foldEachStrip(long register, byte[] array, int from, int length, long work) {
    long strip = work + Work.STRIP;
    long remainder = register;
    for (int left = length; left > 0; left -= STRIP_BYTES) {
      int bytes = Math.min(STRIP_BYTES, left);
      copy(array, from + length - left, bytes, strip);
      remainder = foldPiece(remainder, strip, bytes, work);
    }
    return remainder;
  }

  private static void copy(byte[] array, int from, int bytes, long strip) {
    MemorySegment.copy(array, from, MEMORY, JAVA_BYTE, strip, bytes);
  }

  private long foldPiece(long register, long address, long bytes, long work) {
    if (bytes < minBytes) {
      return tables.append(register, address, bytes);
    }
    if (bytes < MIN_FOR_SPANS || planes.isEmpty()) {
      initialize(register, address, LaneFold.V, work);
      return finishVector(address + LaneFold.V, bytes - LaneFold.V, work);
    }
    initialize(register, address, PlaneFold.SPAN, work);
    return finishSpan(address + PlaneFold.SPAN, bytes - PlaneFold.SPAN, work);
  }

  /** Copies the beginning of a message, with the register added, to the fold state. */
  private void initialize(long register, long address, long bytes, long state) {
    MemorySegment.copy(MEMORY, address, MEMORY, state, bytes);
    MEMORY.set(WORD, state, MEMORY.get(WORD, state) ^ divisor.overlay(register));
  }

  /** Returns the register after a span and the bytes after it. */
  private long finishSpan(long address, long bytes, long work) {
    int spans = (int) (bytes / PlaneFold.SPAN);
    planes.orElseThrow().fold(work, address, spans, work + Work.PLANES);
    lanes.fold(work, work + LaneFold.V, PlaneFold.PLANES - 1);
    long folded = (long) spans * PlaneFold.SPAN;
    return finishVector(address + folded, bytes - folded, work);
  }

  /** Returns the register after a vector and the bytes after it. */
  private long finishVector(long address, long bytes, long work) {
    int vectors = (int) (bytes / LaneFold.V);
    lanes.fold(work, address, vectors);
    long folded = (long) vectors * LaneFold.V;
    long remainder = tables.append(0, work, LaneFold.V);
    return tables.append(remainder, address + folded, bytes - folded);
  }

  /** Offsets in the working memory, which begins with the fold state: a vector or a span. */
  private static final class Work {
    static final long PLANES = PlaneFold.SPAN;
    static final long STRIP = PLANES + PlaneFold.WORK;
    static final long BYTES = STRIP + STRIP_BYTES;

    private Work() {}
  }
}
