package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.rlnc.BatchDecoder;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.AuthenticationException;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.NativeMemory;
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
  static final int EXTRA_BLOCKS = 4;

  /**
   * An upper bound of the bytes that {@link BatchDecoder} uses for a block besides its vector and
   * payload.
   */
  private static final int BLOCK_OVERHEAD = 64;

  /** The bytes read at a time when shards are read again, if records are not larger. */
  private static final long WINDOW_BYTES = 256 << 10;

  private final Engine engine;
  private final ShardSet set;
  private final CodedObject descriptor;
  private final int blocks;
  private final int capacity;
  private final Batches batches;
  private final BatchDecoder full;
  private final MemorySegment decoded;

  /** The decrypted bytes, if the object is encrypted. */
  private final MemorySegment plaintext;

  /** For each generation and cursor, the range of the shard that contains its records. */
  private final long[][] from;

  private final long[][] to;
  private final HashTree tree = new HashTree();
  private Optional<BatchDecoder> tail = Optional.empty();
  private long first;
  private int generations;

  /**
   * Allocates memory.
   *
   * @param batches the maximum number of generations in the batch
   * @param isEncrypted whether there is memory for {@link #decrypt}
   */
  DecodingBatch(
      Engine engine, ShardSet set, Batches batches, boolean isEncrypted, NativeMemory memory)
      throws IOException {
    this.engine = engine;
    this.set = set;
    this.descriptor = set.descriptor();
    this.blocks = rows(descriptor);
    this.capacity = batches.generations();
    this.batches = batches;
    GenerationShape shape = descriptor.shape().withBlocks(blocks);
    this.decoded = memory.allocate(capacity * shape.bytes());
    this.plaintext = isEncrypted ? memory.allocate(decoded.byteSize()) : MemorySegment.NULL;
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
  private static int rows(CodedObject descriptor) {
    return Math.clamp(descriptor.sourceBlocks(), 1, descriptor.shape().blocks());
  }

  /** Returns the bytes of memory that one generation takes. */
  static long generationBytes(CodedObject descriptor, boolean isEncrypted) {
    int k = descriptor.shape().blockSize();
    long rows = rows(descriptor);
    return (isEncrypted ? 2 : 1) * rows * k
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

  long first() {
    return first;
  }

  /** Returns the decoded bytes of the object. */
  MemorySegment decoded() {
    return decoded.asSlice(0, sourceBytes());
  }

  /** Returns the position of {@link #decoded} in the object. */
  long decodedAt() {
    return first * descriptor.shape().bytes();
  }

  /** Returns the decoded source blocks of the g-th generation of this batch, with the padding. */
  MemorySegment generation(int g) {
    GenerationShape shape = descriptor.shape();
    return decoded.asSlice(
        g * shape.bytes(), (long) descriptor.blocksOf(first + g) * shape.blockSize());
  }

  /** Computes the hashes of the decoded generations. */
  List<Sha256> hashes() {
    GenerationShape shape = descriptor.shape();
    long bytes =
        (generations - 1) * shape.bytes()
            + (long) descriptor.blocksOf(first + generations - 1) * shape.blockSize();
    return tree.generations(decoded.asSlice(0, bytes), shape.blocks(), shape.blockSize());
  }

  /**
   * Decrypts the generations.
   *
   * @return the bytes of the file, which {@link #decrypted} returns too
   * @throws AuthenticationException if a generation was not encrypted with the key
   */
  MemorySegment decrypt(GenerationCipher cipher) throws AuthenticationException {
    for (int g = 0; g < generations; g++) {
      decrypt(cipher, g);
    }
    return decrypted();
  }

  /** Returns the decrypted bytes of the file. */
  MemorySegment decrypted() {
    return plaintext.asSlice(0, sourceBytes() - (long) generations * GenerationCipher.TAG_BYTES);
  }

  /** Returns the position of {@link #decrypted} in the file. */
  long decryptedAt() {
    return first * (descriptor.shape().bytes() - GenerationCipher.TAG_BYTES);
  }

  private void decrypt(GenerationCipher cipher, int g) throws AuthenticationException {
    long generation = first + g;
    long pitch = descriptor.shape().bytes();
    long bytes = descriptor.bytesOf(generation);
    cipher.decrypt(
        generation,
        generation == descriptor.generations() - 1,
        decoded.asSlice(g * pitch, bytes),
        plaintext.asSlice(
            g * (pitch - GenerationCipher.TAG_BYTES), bytes - GenerationCipher.TAG_BYTES));
  }

  /** Starts with the generations from {@code firstGeneration} on, without blocks. */
  void start(long firstGeneration) throws IOException {
    start(firstGeneration, descriptor.generations());
  }

  /** Starts with the generations from {@code firstGeneration} up to the one before {@code end}. */
  void start(long firstGeneration, long end) throws IOException {
    first = firstGeneration;
    generations = (int) Math.min(capacity, end - firstGeneration);
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
  }

  /** Reads the blocks of the generations from their ranges; returns {@link #sourceBytes}. */
  long read(ShardRanges ranges) throws IOException {
    ranges.read(first, generations, this::read);
    return sourceBytes();
  }

  /** Reads the blocks of the generations from the cursors; returns {@link #sourceBytes}. */
  long read(ShardCursors cursors) throws IOException {
    for (int g = 0; g < generations; g++) {
      long generation = first + g;
      BatchDecoder decoder = decoder(g);
      int enough = decoder.shape().blocks() + EXTRA_BLOCKS;
      from[g] = cursors.positions();
      cursors.drain(
          generation,
          (shard, block) -> {
            if (decoder.held(generation) < enough && !set.isConvicted(shard)) {
              decoder.add(block);
            }
          });
      to[g] = cursors.positions();
    }
    return sourceBytes();
  }

  /** Returns the decoder of the g-th generation of this batch. */
  private BatchDecoder decoder(int g) {
    return descriptor.blocksOf(first + g) == blocks ? full : tail.orElseThrow();
  }

  /**
   * Returns true if every source block has arrived uncoded, so that there is nothing to compute.
   */
  boolean isUncoded() {
    boolean isTailOnly = tail.isPresent() && generations == 1;
    return (isTailOnly || full.isUncoded()) && tail.map(BatchDecoder::isUncoded).orElse(true);
  }

  /**
   * Decodes every generation.
   *
   * @param shards the shard of each cursor, to be read again for generations of too low rank
   * @return true if all generations have full rank
   */
  boolean decode(List<ShardFile> shards) throws IOException {
    return batches.compute(engine, () -> decodeAll(shards));
  }

  private boolean decodeAll(List<ShardFile> shards) throws IOException {
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
    forEachBlock(g, shards, (_, block) -> decoder.add(block));
  }

  /**
   * Reads every block of a generation again, shard by shard.
   *
   * @param g the generation in this batch
   * @param shards the shard of each cursor
   */
  void forEachBlock(int g, List<ShardFile> shards, ShardCursors.Sink sink) throws IOException {
    long largest = shards.stream().mapToLong(file -> file.header().recordBytes()).max().orElse(0);
    try (NativeMemory memory = new NativeMemory(engine)) {
      MemorySegment window = memory.allocate(Math.max(largest, WINDOW_BYTES));
      for (int shard = 0; shard < shards.size(); shard++) {
        ShardFile file = shards.get(shard);
        RecordScanner scanner = file.scan(new ShardFile.Run(from[g][shard], to[g][shard]), window);
        while (scanner.next()) {
          if (scanner.block().generation() == first + g) {
            sink.take(file, scanner.block());
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
