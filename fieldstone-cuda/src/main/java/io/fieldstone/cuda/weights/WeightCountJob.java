package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.HostBytes;
import io.fieldstone.engine.weights.BinaryWords;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Counts the words of cosets by weight, piece by piece. */
final class WeightCountJob implements PieceJob<ByteRange> {

  private static final int THREADS = 256;

  /** Bytes of the bins of a weight: a counter for each lane. */
  private static final int BIN_BYTES = 128;

  /** Words of the inner loop of a block, which are in shared memory. */
  private static final int INNER_WORDS = 32;

  /** Binary logarithm of the words of a block: 2^5 for each thread. */
  private static final int BLOCK_BITS = 13;

  /** Minimum blocks per multiprocessor, so that all are busy until the end. */
  private static final int MIN_BLOCKS = 32;

  /** Maximum words of a piece, which a large GPU counts in about 0.2 s. */
  private static final long MAX_WORDS = 1L << 37;

  private static final long PIECE_BYTES = 4L << 20;
  private static final int DEPTH = 2;

  private final HostBytes basis;
  private final HostBytes offsets;
  private final HostBytes multiplicities;
  private final int rows;
  private final int length;
  private final int wordBytes;
  private final int multiprocessors;
  private final GridStrideKernel kernel;
  private final long[] counts;
  private long countsOffset;
  private long pinnedOffset;

  WeightCountJob(Gpu gpu, BinaryWords basis, BinaryWords offsets, long[] multiplicities) {
    this.basis = HostBytes.input(gpu, bytes(basis));
    this.offsets = HostBytes.input(gpu, bytes(offsets));
    this.multiplicities = HostBytes.input(gpu, MemorySegment.ofArray(multiplicities));
    this.rows = (int) basis.count();
    this.length = basis.length();
    this.wordBytes = basis.bytes();
    this.multiprocessors = gpu.context().device().multiprocessors();
    int sharedBytes = (length + 1) * BIN_BYTES + INNER_WORDS * wordBytes;
    this.kernel = gpu.modules().kernel("pairs", "weights_count", THREADS, sharedBytes, 1);
    this.counts = new long[length + 1];
  }

  private static MemorySegment bytes(BinaryWords words) {
    return words.data().asSlice(0, words.count() * words.bytes());
  }

  @Override
  public long pieceBytes() {
    return PIECE_BYTES;
  }

  @Override
  public int depth() {
    return DEPTH;
  }

  /** Cuts the offsets of the cosets. */
  @Override
  public List<ByteRange> split(long maxBytes) {
    long cosets = Math.max(1, Math.min(maxBytes / wordBytes, MAX_WORDS >> rows));
    return ByteRange.split(offsets.byteSize(), cosets * wordBytes);
  }

  @Override
  public void reserve(ScratchLayout scratch, List<ByteRange> pieces) {
    long maxBytes = ByteRange.maxBytes(pieces);
    basis.reserve(scratch, basis.byteSize());
    offsets.reserve(scratch, maxBytes);
    multiplicities.reserve(scratch, maxBytes / wordBytes * Long.BYTES);
    countsOffset = scratch.device(countBytes());
    pinnedOffset = scratch.pinned(countBytes());
  }

  private long countBytes() {
    return (long) counts.length * Long.BYTES;
  }

  @Override
  public void enqueue(StreamSlot slot, ByteRange piece) {
    long first = piece.offset() / wordBytes;
    long cosets = piece.bytes() / wordBytes;
    long basisAt = basis.enqueueUpload(slot, new ByteRange(0, basis.byteSize()));
    long offsetsAt = offsets.enqueueUpload(slot, piece);
    ByteRange range = new ByteRange(first * Long.BYTES, cosets * Long.BYTES);
    long multiplicitiesAt = multiplicities.enqueueUpload(slot, range);
    int splitBits = splitBits(cosets);
    slot.stream().fill(slot.device(countsOffset), 0, countBytes());
    new PairArguments.Weights(
            basisAt,
            offsetsAt,
            multiplicitiesAt,
            cosets,
            slot.device(countsOffset),
            rows,
            length,
            wordBytes / Integer.BYTES,
            splitBits)
        .write(slot.arguments());
    kernel.launchBlocks(slot, cosets << splitBits);
    slot.stream().download(slot.device(countsOffset), slot.pinned(pinnedOffset, countBytes()));
    slot.mark();
  }

  /** Splits cosets until there are enough blocks, or until a block would have too few words. */
  private int splitBits(long cosets) {
    int bits = 0;
    while (bits < rows - BLOCK_BITS && cosets << bits < (long) MIN_BLOCKS * multiprocessors) {
      bits++;
    }
    return bits;
  }

  @Override
  public void finish(StreamSlot slot, ByteRange piece) {
    slot.await();
    MemorySegment counted = slot.pinned(pinnedOffset, countBytes());
    for (int weight = 0; weight < counts.length; weight++) {
      counts[weight] += counted.getAtIndex(JAVA_LONG, weight);
    }
  }

  /** Adds the counts to {@code sums}, after the job has run. */
  void addTo(long[] sums) {
    for (int weight = 0; weight < counts.length; weight++) {
      sums[weight] += counts[weight];
    }
  }
}
