package io.fieldstone.rlnc.backup;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.rlnc.BatchEncoder;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.SetLayout;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Consecutive generations from the source blocks to the parity. All generations have the same
 * coefficients, so they are coded as one, whose blocks are those of all generations side by side:
 * row j is read with one transfer, and a parity row is written with one. For one thread at a time.
 */
final class ProtectionBatch {

  private final Engine engine;
  private final SetShape shape;
  private final SourceReader reader;
  private final SetLayout layout;
  private final SourceBlocks pieces;
  private final int sourceBlocks;
  private final MemorySegment padded;
  private final boolean occupiesAllThreads;
  private final HashTree tree = new HashTree();
  private final ByteMatrices sources;
  private final ByteMatrices parity;
  private int first;
  private int count;

  /**
   * Allocates the memory of a batch.
   *
   * @param capacity the maximum number of generations
   * @param occupiesAllThreads whether other threads with batches of their own occupy the other
   *     processors
   */
  ProtectionBatch(
      Engine engine,
      SetShape shape,
      SetLayout layout,
      SourceBlocks pieces,
      int capacity,
      boolean occupiesAllThreads,
      SourceReader reader,
      NativeMemory memory)
      throws IOException {
    this.engine = engine;
    this.shape = shape;
    this.reader = reader;
    this.layout = layout;
    this.pieces = pieces;
    this.sourceBlocks = layout.blocks();
    this.padded = MemorySegment.ofArray(new byte[shape.blockSize()]);
    this.occupiesAllThreads = occupiesAllThreads;
    int columns = capacity * shape.blockSize();
    long stride = ByteMatrices.paddedStride(columns);
    this.sources = rows(shape.blocks(), columns, stride, memory);
    this.parity = rows(shape.parity(), columns, stride, memory);
  }

  private static ByteMatrices rows(int rows, int columns, long stride, NativeMemory memory)
      throws IOException {
    return ByteMatrices.strided(memory.allocate(rows * stride), rows, columns, stride);
  }

  /** Takes generations {@code newFirst} … {@code newFirst + newCount − 1}. */
  void take(int newFirst, int newCount) {
    first = newFirst;
    count = newCount;
  }

  /** Returns the number of generations. */
  int generations() {
    return count;
  }

  /** Returns the number of stored blocks in a row of sources. */
  private int stored(int row) {
    long from = (long) row * shape.generations() + first;
    return Math.clamp(sourceBlocks - from, 0, count);
  }

  private int sourceOf(int row, int column) {
    return row * shape.generations() + first + column;
  }

  /** Returns a block of a row. */
  private MemorySegment block(ByteMatrices rows, int row, int column) {
    return rows.row(0, row).asSlice((long) column * shape.blockSize(), shape.blockSize());
  }

  /**
   * Reads the source blocks.
   *
   * @return the bytes
   */
  long read() throws IOException {
    long bytes = 0;
    for (int row = 0; row < shape.blocks(); row++) {
      int stored = stored(row);
      MemorySegment target = sources.row(0, row).asSlice(0, (long) count * shape.blockSize());
      long end = (long) stored * shape.blockSize();
      if (stored > 0) {
        reader.readBlocks(layout, sourceOf(row, 0), stored, target.asSlice(0, end));
      }
      target.asSlice(end).fill((byte) 0);
      bytes += end;
    }
    return bytes;
  }

  /** Computes the parity. */
  long encode() throws IOException {
    return NativeMemory.reserve(
        () -> occupiesAllThreads ? engine.onCallingThread(this::multiply) : multiply());
  }

  private long multiply() {
    int columns = count * shape.blockSize();
    try (BatchEncoder encoder = new BatchEncoder(engine, shape.generation(columns), 0)) {
      encoder.encode(0, sources.columns(0, columns), shape.blocks(), parity.columns(0, columns));
    }
    return (long) shape.blocks() * columns;
  }

  /**
   * Computes the hashes and the checksums of the blocks.
   *
   * @param hashes of all blocks of the set
   * @param sums of all pieces of the set
   * @param marks of all pieces in shared blocks
   */
  long hash(byte[] hashes, int[] sums, byte[] marks) {
    for (int column = 0; column < count; column++) {
      int rows = storedRows(column);
      hash(sources, column, rows, hashes, 0);
      for (int row = 0; row < rows; row++) {
        hashPieces(sourceOf(row, column), block(sources, row, column), sums, marks);
      }
      hash(parity, column, shape.parity(), hashes, sourceBlocks);
    }
    return (long) count * (shape.blocks() + shape.parity()) * shape.blockSize();
  }

  private void hashPieces(int block, MemorySegment bytes, int[] sums, byte[] marks) {
    int first = layout.firstPiece(block);
    if (!layout.isShared(block)) {
      sums[first] = RollingCrc.of(bytes);
      return;
    }
    int at = 0;
    for (int piece = first; piece < layout.firstPiece(block + 1); piece++) {
      int length = pieces.bytesOf(piece);
      padded.fill((byte) 0).copyFrom(bytes.asSlice(at, length));
      sums[piece] = RollingCrc.of(padded);
      Sha256 leaf = tree.leaf(padded);
      ByteBuffer.wrap(
              marks,
              layout.sharedIndex(piece, block) * SetManifest.MARK_BYTES,
              SetManifest.MARK_BYTES)
          .putLong(leaf.word0())
          .putLong(leaf.word1());
      at += length;
    }
  }

  /** Returns the number of stored source blocks of a generation; the others are zeros. */
  private int storedRows(int column) {
    int rows = shape.blocks();
    while (rows > 0 && sourceOf(rows - 1, column) >= sourceBlocks) {
      rows--;
    }
    return rows;
  }

  /** Hashes the first blocks of a generation, as many at once as there are. */
  private void hash(ByteMatrices all, int column, int rows, byte[] hashes, int firstBlock) {
    if (rows > 0) {
      ByteBuffer target = ByteBuffer.wrap(hashes);
      MemorySegment from = all.data().asSlice((long) column * shape.blockSize());
      List<Sha256> leaves = tree.leaves(from, all.stride(), rows, shape.blockSize());
      for (int row = 0; row < rows; row++) {
        int block = firstBlock + sourceOf(row, column);
        leaves.get(row).writeTo(target.position(block * Sha256.BYTES));
      }
    }
  }

  /**
   * Writes the parity to the volumes.
   *
   * @param parityAt the offset of the parity in each volume
   */
  long write(List<OpenFile> volumes, long parityAt) throws IOException {
    long bytes = (long) count * shape.blockSize();
    for (int row = 0; row < shape.parity(); row++) {
      int inVolume = row / shape.volumes();
      long block = (long) inVolume * shape.generations() + first;
      volumes
          .get(row % shape.volumes())
          .writeSparsely(
              parity.row(0, row).asSlice(0, bytes), parityAt + block * shape.blockSize());
    }
    return bytes * shape.parity();
  }
}
