package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Basis;
import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Some generations as shards hold them: up to n blocks of each, with their vectors. {@link #gather}
 * takes the first n that come, {@link #resolve} replaces them where they turn out dependent and
 * others are left.
 *
 * <p>All generations are laid out alike, as n rows. A shorter last generation counts as one whose
 * other source blocks are known to be zero: rows of the identity.
 */
final class HeldBatch {

  /** What no source block is. */
  private static final int CODED = -1;

  private final ObjectDescriptor descriptor;
  private final int blocks;
  private final int capacity;
  private final long stride;
  private final MemorySegment payloads;
  private final MemorySegment vectors;
  private final MemorySegment inverses;
  private final int[] held;
  private final int[] ranks;
  private final long[] seen;
  private final boolean[] overflowed;
  private final BitSet[] sources;
  private final int[] sourceOfRow;
  private final long[][] from;
  private final long[][] to;
  private long first;
  private int generations;

  /**
   * Reserves memory for {@code capacity} generations of {@code blocks} blocks from {@code shards}
   * shards.
   */
  HeldBatch(
      ObjectDescriptor descriptor, int blocks, int capacity, int shards, NativeMemory memory)
      throws IOException {
    this.descriptor = descriptor;
    this.blocks = blocks;
    this.capacity = capacity;
    this.stride = NativeMemory.stride(descriptor.shape().blockSize());
    this.payloads = memory.allocate(capacity * blocks * stride);
    this.vectors = memory.allocate((long) capacity * blocks * blocks);
    this.inverses = memory.allocate((long) capacity * blocks * blocks);
    this.held = new int[capacity];
    this.ranks = new int[capacity];
    this.seen = new long[capacity];
    this.overflowed = new boolean[capacity];
    this.sources = IntStream.range(0, capacity).mapToObj(_ -> new BitSet()).toArray(BitSet[]::new);
    this.sourceOfRow = new int[capacity * blocks];
    this.from = new long[capacity][shards];
    this.to = new long[capacity][shards];
  }

  /** Bytes that one generation takes. */
  static long bytesOfGeneration(ObjectDescriptor descriptor, int blocks) {
    return blocks * (NativeMemory.stride(descriptor.shape().blockSize()) + 2L * blocks);
  }

  /** Rows of each generation: n, or less for an object of one generation that has less. */
  static int rowsOf(ObjectDescriptor descriptor) {
    return Math.clamp(descriptor.sourceBlocks(), 1, descriptor.shape().blocks());
  }

  long first() {
    return first;
  }

  int generations() {
    return generations;
  }

  /** Rows of the g-th generation here that hold a block. */
  int held(int g) {
    return held[g];
  }

  /** Independent blocks of it, once resolved; n at most. */
  int rank(int g) {
    return ranks[g];
  }

  /** Undamaged blocks of it in all shards. */
  long seen(int g) {
    return seen[g];
  }

  /** Source blocks of it. */
  int blocksOf(int g) {
    return descriptor.blocksOf(first + g);
  }

  /** Bytes of the file in all of it. */
  long sourceBytes() {
    return generations == 0
        ? 0
        : (generations - 1) * descriptor.shape().bytes()
            + descriptor.bytesOf(first + generations - 1);
  }

  /** Takes generations from {@code firstGeneration} on out of the cursors. */
  void gather(long firstGeneration, List<ShardCursor> cursors) throws IOException {
    first = firstGeneration;
    generations = (int) Math.min(capacity, descriptor.generations() - firstGeneration);
    for (int g = 0; g < generations; g++) {
      held[g] = 0;
      seen[g] = 0;
      overflowed[g] = false;
      sources[g].clear();
      for (int shard = 0; shard < cursors.size(); shard++) {
        from[g][shard] = cursors.get(shard).position();
      }
      // Round the shards, not one after another: systematic shards start with their source blocks.
      boolean found = true;
      while (found) {
        found = false;
        for (ShardCursor cursor : cursors) {
          if (cursor.isAt(first + g)) {
            take(g, cursor.block().orElseThrow());
            cursor.advance();
            found = true;
          }
        }
      }
      for (int shard = 0; shard < cursors.size(); shard++) {
        to[g][shard] = cursors.get(shard).position();
      }
      pad(g);
    }
  }

  private void take(int g, CodedBlock block) {
    seen[g]++;
    if (block.vector() instanceof CodingVector.Source(int index) && sources[g].get(index)) {
      return;
    }
    if (held[g] == blocksOf(g)) {
      overflowed[g] = true;
      return;
    }
    MemorySegment vector = vector(g, held[g]);
    vector.fill((byte) 0);
    expand(block, vector.asSlice(0, blocksOf(g)));
    hold(g, block);
  }

  /** Keeps a block in the next row, whose vector is there already. */
  private void hold(int g, CodedBlock block) {
    int row = held[g]++;
    sourceOfRow[g * blocks + row] = CODED;
    if (block.vector() instanceof CodingVector.Source(int index)) {
      sources[g].set(index);
      sourceOfRow[g * blocks + row] = index;
    }
    MemorySegment.copy(
        block.payload(), 0, payloads, payloadOffset(g, row), descriptor.shape().blockSize());
  }

  private void expand(CodedBlock block, MemorySegment vector) {
    Code code = descriptor.shape().code();
    block.vector().expand(code, block.generation(), vector);
  }

  /** Rows that are missing are zero; blocks beyond those of a short generation are known zeros. */
  private void pad(int g) {
    for (int row = held[g]; row < blocks; row++) {
      vector(g, row).fill((byte) 0);
      payload(g, row).fill((byte) 0);
      sourceOfRow[g * blocks + row] = CODED;
      if (row >= blocksOf(g)) {
        vector(g, row).set(ValueLayout.JAVA_BYTE, row, (byte) 1);
      }
    }
  }

  /**
   * Finds the rank of every generation, looking at the blocks that were left where it is short. Where
   * it is full and {@link #isUncoded} does not hold, the inverse of the vectors is ready afterwards.
   */
  void resolve(Engine engine, List<ShardFile> shards) throws IOException {
    if (IntStream.range(0, generations).allMatch(this::isUncoded)) {
      Arrays.setAll(ranks, g -> g < generations ? blocksOf(g) : 0);
      return;
    }
    invert(engine, 0, generations);
    for (int g = 0; g < generations; g++) {
      if (ranks[g] < blocksOf(g) && overflowed[g]) {
        select(engine, g, shards);
        invert(engine, g, 1);
      }
    }
  }

  private void invert(Engine engine, int from, int count) {
    long pitch = (long) blocks * blocks;
    int[] found =
        engine
            .eliminations()
            .invert(
                descriptor.shape().field(),
                ByteMatrices.packed(vectors.asSlice(from * pitch), count, blocks, blocks),
                ByteMatrices.packed(inverses.asSlice(from * pitch), count, blocks, blocks));
    for (int g = from; g < from + count; g++) {
      ranks[g] = found[g - from] - (blocks - blocksOf(g));
    }
  }

  /** Goes through all blocks of a generation again and holds innovative ones only. */
  private void select(Engine engine, int g, List<ShardFile> shards) throws IOException {
    int n = blocksOf(g);
    held[g] = 0;
    sources[g].clear();
    try (Basis basis = engine.eliminations().basis(descriptor.shape().field(), n);
        NativeMemory memory = new NativeMemory()) {
      MemorySegment vector = memory.allocate(n);
      for (int shard = 0; shard < shards.size() && basis.rank() < n; shard++) {
        ShardFile file = shards.get(shard);
        MemorySegment record = memory.allocate(file.header().recordBytes());
        for (long at = from[g][shard]; at < to[g][shard] && basis.rank() < n; at++) {
          if (file.read(at, record) == 1) {
            selectFrom(g, basis, file, record, vector);
          }
        }
      }
    }
    pad(g);
  }

  private void selectFrom(
      int g, Basis basis, ShardFile file, MemorySegment record, MemorySegment vector) {
    file.block(record)
        .filter(block -> block.generation() == first + g)
        .ifPresent(
            block -> {
              expand(block, vector);
              if (basis.add(vector) != Basis.NOT_INNOVATIVE) {
                MemorySegment row = vector(g, held[g]);
                row.fill((byte) 0);
                row.copyFrom(vector);
                hold(g, block);
              }
            });
  }

  /** Whether every source block of the generation is held as it stands. */
  boolean isUncoded(int g) {
    return sources[g].cardinality() == blocksOf(g);
  }

  /** Whether some source block of the generation is held as it stands. */
  boolean hasSources(int g) {
    return !sources[g].isEmpty();
  }

  /** Source blocks of the generation that are held as they stand. */
  BitSet sources(int g) {
    return sources[g];
  }

  /** The source block in a row, or a negative number if it is a coded block. */
  int sourceOfRow(int g, int row) {
    return sourceOfRow[g * blocks + row];
  }

  MemorySegment payload(int g, int row) {
    return payloads.asSlice(payloadOffset(g, row), descriptor.shape().blockSize());
  }

  private long payloadOffset(int g, int row) {
    return ((long) g * blocks + row) * stride;
  }

  private MemorySegment vector(int g, int row) {
    return vectors.asSlice(((long) g * blocks + row) * blocks, blocks);
  }

  /** Row of the inverse: source block {@code source} in terms of the rows held. */
  MemorySegment inverse(int g, int source) {
    return inverses.asSlice(((long) g * blocks + source) * blocks, blocks);
  }

  /** Payloads of {@code count} generations from the g-th on: n×k each. */
  ByteMatrices payloads(int g, int count) {
    return new ByteMatrices(
        payloads.asSlice(payloadOffset(g, 0)),
        count,
        blocks,
        descriptor.shape().blockSize(),
        stride,
        blocks * stride);
  }

  /** Vectors of {@code count} generations from the g-th on: n×n each. */
  ByteMatrices vectors(int g, int count) {
    return ByteMatrices.packed(
        vectors.asSlice((long) g * blocks * blocks), count, blocks, blocks);
  }

  /** Inverses of {@code count} generations from the g-th on: n×n each. */
  ByteMatrices inverses(int g, int count) {
    return ByteMatrices.packed(
        inverses.asSlice((long) g * blocks * blocks), count, blocks, blocks);
  }
}
