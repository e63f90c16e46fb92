package io.fieldstone.cuda.checksums;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;

/** Sieves a range of polynomials in pieces: ranges of the words that have a bit for each. */
final class SieveJob implements PieceJob<ByteRange> {

  private static final int WARP = 32;

  /** The words of 2^22 numbers. */
  private static final long PIECE_BYTES = 1L << 19;

  private static final int DEPTH = 2;

  private final int width;
  private final int bits;
  private final long from;
  private final long to;
  private final GridStrideKernel kernel;
  private final LongStream.Builder kept = LongStream.builder();
  private long keptOffset;
  private long pinnedOffset;

  SieveJob(Gpu gpu, int width, int bits, long from, long to) {
    this.width = width;
    this.bits = bits;
    this.from = from;
    this.to = to;
    SieveArguments shape = SieveArguments.of(0, from, to - from, width, bits);
    this.kernel = gpu.modules().kernel("sieve", shape.kernel(), WARP, shape.sharedBytes(), 1);
  }

  @Override
  public long pieceBytes() {
    return PIECE_BYTES;
  }

  @Override
  public int depth() {
    return DEPTH;
  }

  @Override
  public List<ByteRange> split(long maxBytes) {
    long words = Math.ceilDiv(to - from, (long) Integer.SIZE);
    return ByteRange.split(words * Integer.BYTES, maxBytes, Integer.BYTES);
  }

  @Override
  public void reserve(ScratchLayout scratch, List<ByteRange> pieces) {
    keptOffset = scratch.device(ByteRange.maxBytes(pieces));
    pinnedOffset = scratch.pinned(ByteRange.maxBytes(pieces));
  }

  private long first(ByteRange piece) {
    return from + Byte.SIZE * piece.offset();
  }

  @Override
  public void enqueue(StreamSlot slot, ByteRange piece) {
    long first = first(piece);
    long count = Math.min(to - first, Byte.SIZE * piece.bytes());
    slot.stream().fill(slot.device(keptOffset), 0, piece.bytes());
    SieveArguments.of(slot.device(keptOffset), first, count, width, bits).write(slot.arguments());
    kernel.launchBlocks(slot, count);
    slot.stream().download(slot.device(keptOffset), slot.pinned(pinnedOffset, piece.bytes()));
    slot.mark();
  }

  /** Collects the numbers of a piece; pieces are in order. */
  @Override
  public void finish(StreamSlot slot, ByteRange piece) {
    slot.await();
    MemorySegment words = slot.pinned(pinnedOffset, piece.bytes());
    for (long word = 0; word < piece.bytes() / Integer.BYTES; word++) {
      int rest = words.getAtIndex(JAVA_INT, word);
      for (; rest != 0; rest &= rest - 1) {
        kept.add(first(piece) + Integer.SIZE * word + Integer.numberOfTrailingZeros(rest));
      }
    }
  }

  /** Returns the numbers that are not excluded, after the job has run. */
  long[] kept() {
    return kept.build().toArray();
  }
}
