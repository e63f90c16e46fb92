package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.rlnc.BatchDecoder;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * A slot of the decoder: a batch of generations, as received blocks and as decoded bytes.
 *
 * <p>It first adds the first n + 4 blocks of each generation, which are sufficient unless some
 * depend on others. If the rank is too low, the shards are read again for the rest.
 */
final class DecodingBatch implements AutoCloseable {

  /** The number of blocks added beyond n, which {@link BatchDecoder} holds without elimination. */
  private static final int EXTRA_BLOCKS = 4;

  /**
   * An upper bound of the bytes that {@link BatchDecoder} uses for a block besides its vector and
   * payload.
   */
  private static final int BLOCK_OVERHEAD = 64;

  /** The bytes read at a time when shards are read again, if records are not larger. */
  private static final long WINDOW_BYTES = 256 << 10;

  private final Engine engine;
  private final ObjectDescriptor descriptor;
  private final int blocks;
  private final int capacity;
  private final BatchDecoder full;
  private final MemorySegment decoded;

  /** For each generation and cursor, the range of the shard that contains its records. */
  private final long[][] from;

  private final long[][] to;
  private Optional<BatchDecoder> tail = Optional.empty();
  private long first;
  private int generations;

  DecodingBatch(Engine engine, ObjectDescriptor descriptor, int capacity, NativeMemory memory)
      throws IOException {
    this.engine = engine;
    this.descriptor = descriptor;
    this.blocks = rows(descriptor);
    this.capacity = capacity;
    GenerationShape shape = descriptor.shape().withBlocks(blocks);
    this.decoded = memory.allocate(capacity * shape.bytes());
    this.full = decoder(0, capacity, blocks);
    this.from = new long[capacity][];
    this.to = new long[capacity][];
  }

  /** Creates a decoder of {@code count} generations of n blocks, from the g-th of this batch on. */
  private BatchDecoder decoder(int g, int count, int n) throws IOException {
    GenerationShape shape = descriptor.shape().withBlocks(n);
    ByteMatrices destination =
        ByteMatrices.packed(
            decoded.asSlice(g * descriptor.shape().bytes()), count, n, shape.blockSize());
    return NativeMemory.reserve(() -> new BatchDecoder(engine, shape, destination));
  }

  /** Returns the blocks of the largest generation: n, or fewer if the object has one generation. */
  private static int rows(ObjectDescriptor descriptor) {
    return Math.clamp(descriptor.sourceBlocks(), 1, descriptor.shape().blocks());
  }

  /** Returns the bytes of memory that one generation takes. */
  static long generationBytes(ObjectDescriptor descriptor) {
    int k = descriptor.shape().blockSize();
    long rows = rows(descriptor);
    return rows * k
        + (rows + EXTRA_BLOCKS) * (rows + ByteMatrices.paddedStride(k) + BLOCK_OVERHEAD);
  }

  int generations() {
    return generations;
  }

  /** Returns the bytes of the file in this batch. */
  long sourceBytes() {
    long last = first + generations - 1;
    return (generations - 1) * descriptor.shape().bytes() + descriptor.bytesOf(last);
  }

  /** Returns the decoded bytes of the file. */
  MemorySegment decoded() {
    return decoded.asSlice(0, sourceBytes());
  }

  /** Reads the blocks of generations from {@code firstGeneration} on from the cursors. */
  void gather(long firstGeneration, ShardCursors cursors) throws IOException {
    first = firstGeneration;
    generations = (int) Math.min(capacity, descriptor.generations() - firstGeneration);
    int fullSize =
        descriptor.blocksOf(first + generations - 1) == blocks ? generations : generations - 1;
    if (fullSize > 0) {
      full.reset(first, fullSize);
    }
    if (fullSize < generations) {
      long last = first + fullSize;
      BatchDecoder decoder = decoder(fullSize, 1, descriptor.blocksOf(last));
      decoder.reset(last, 1);
      tail = Optional.of(decoder);
    }
    for (int g = 0; g < generations; g++) {
      long generation = first + g;
      BatchDecoder decoder = decoder(g);
      int enough = decoder.shape().blocks() + EXTRA_BLOCKS;
      from[g] = cursors.positions();
      cursors.drain(
          generation,
          (_, block) -> {
            if (decoder.held(generation) < enough) {
              decoder.add(block);
            }
          });
      to[g] = cursors.positions();
    }
  }

  /** Returns the decoder of the g-th generation of this batch. */
  private BatchDecoder decoder(int g) {
    return descriptor.blocksOf(first + g) == blocks ? full : tail.orElseThrow();
  }

  /**
   * Decodes every generation.
   *
   * @param shards the shard of each cursor, to be read again for generations of too low rank
   * @return true if all generations have full rank
   */
  boolean decode(List<ShardFile> shards) throws IOException {
    int fullSize = generations - (tail.isPresent() ? 1 : 0);
    return (fullSize == 0 || decode(full, 0, shards))
        && (tail.isEmpty() || decode(tail.orElseThrow(), fullSize, shards));
  }

  private boolean decode(BatchDecoder decoder, int firstHere, List<ShardFile> shards)
      throws IOException {
    GenerationShape shape = decoder.shape();
    int[] ranks = decoder.decode();
    if (isComplete(ranks, shape)) {
      return true;
    }
    for (int g = 0; g < ranks.length; g++) {
      if (ranks[g] < shape.blocks()) {
        addAll(decoder, firstHere + g, shards);
      }
    }
    return isComplete(decoder.decode(), shape);
  }

  private static boolean isComplete(int[] ranks, GenerationShape shape) {
    for (int rank : ranks) {
      if (rank < shape.blocks()) {
        return false;
      }
    }
    return true;
  }

  /** Adds every block of a generation; blocks already held are ignored. */
  private void addAll(BatchDecoder decoder, int g, List<ShardFile> shards) throws IOException {
    long largest = shards.stream().mapToLong(file -> file.header().recordBytes()).max().orElse(0);
    try (NativeMemory memory = new NativeMemory(engine)) {
      MemorySegment window = memory.allocate(Math.max(largest, WINDOW_BYTES));
      for (int shard = 0; shard < shards.size(); shard++) {
        ShardFile file = shards.get(shard);
        RecordScanner scanner = file.scan(new ShardFile.Run(from[g][shard], to[g][shard]), window);
        while (scanner.next()) {
          if (scanner.block().generation() == first + g) {
            decoder.add(scanner.block());
          }
        }
      }
    }
  }

  @Override
  public void close() {
    full.close();
    tail.ifPresent(BatchDecoder::close);
  }
}
