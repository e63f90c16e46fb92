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
 * A slot of the decoder: some generations as held, and as they stand in the file.
 *
 * <p>Of each generation it takes the first blocks that come and leaves the rest: enough but for
 * dependent ones. Where that was too little, it goes back for the others.
 */
final class DecodingBatch implements AutoCloseable {

  /** Blocks taken beyond n, which {@link BatchDecoder} holds without eliminating any. */
  private static final int EXTRA_BLOCKS = 4;

  /** Bytes that {@link BatchDecoder} keeps for a block beside its vector and payload, and more. */
  private static final int BLOCK_OVERHEAD = 64;

  /** Read at a time of what is looked at again, if records are not larger. */
  private static final long WINDOW_BYTES = 256 << 10;

  private final Engine engine;
  private final ObjectDescriptor descriptor;
  private final int blocks;
  private final int capacity;
  private final BatchDecoder full;
  private final MemorySegment decoded;

  /** For each generation and cursor, the part of the shard that it is in. */
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

  /** A decoder of {@code count} generations of n blocks from the g-th one here on. */
  private BatchDecoder decoder(int g, int count, int n) throws IOException {
    GenerationShape shape = descriptor.shape().withBlocks(n);
    ByteMatrices destination =
        ByteMatrices.packed(
            decoded.asSlice(g * descriptor.shape().bytes()), count, n, shape.blockSize());
    return NativeMemory.reserve(() -> new BatchDecoder(engine, shape, destination));
  }

  /** Blocks of the largest generation: n, or less for an object of one generation with less. */
  private static int rows(ObjectDescriptor descriptor) {
    return Math.clamp(descriptor.sourceBlocks(), 1, descriptor.shape().blocks());
  }

  /** Bytes that one generation takes. */
  static long bytesOfGeneration(ObjectDescriptor descriptor) {
    int k = descriptor.shape().blockSize();
    long rows = rows(descriptor);
    return rows * k
        + (rows + EXTRA_BLOCKS) * (rows + ByteMatrices.paddedStride(k) + BLOCK_OVERHEAD);
  }

  int generations() {
    return generations;
  }

  /** Bytes of the file in all of it. */
  long sourceBytes() {
    long last = first + generations - 1;
    return (generations - 1) * descriptor.shape().bytes() + descriptor.bytesOf(last);
  }

  /** The bytes of the file, once decoded. */
  MemorySegment decoded() {
    return decoded.asSlice(0, sourceBytes());
  }

  /** Takes generations from {@code firstGeneration} on out of the cursors. */
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

  /** The decoder of the g-th generation here. */
  private BatchDecoder decoder(int g) {
    return descriptor.blocksOf(first + g) == blocks ? full : tail.orElseThrow();
  }

  /**
   * Decodes every generation.
   *
   * @param shards of each cursor, to look at again for generations that are short of rank
   * @return whether all of them have full rank
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

  /** Adds every block of a generation; those that are held already do no harm. */
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
