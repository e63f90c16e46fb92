package io.fieldstone.rlnc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Scratch;
import io.fieldstone.engine.coding.VectorScan;
import io.fieldstone.engine.memory.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a batch of generations of one shape ("buffered" decoding in Nuclei, Section IV-F). Blocks
 * are collected in any order; then all coefficient matrices are inverted together and all payloads
 * multiplied together. {@link Decoder} solves a single generation as its blocks arrive.
 *
 * {@snippet :
 * try (BatchDecoder decoder = new BatchDecoder(engine, shape, destination)) {
 *   decoder.reset(firstGeneration, count);
 *   blocks.forEach(decoder::add);
 *   int[] ranks = decoder.decode();
 * }
 * }
 *
 * <p>A source block that arrives uncoded is copied to the destination. Only missing source blocks
 * are computed on the engine. Frames of a pipeline code that form a triangle are solved by
 * substitution, without an inverse.
 *
 * <p>The decoder holds at most n + 4 blocks of each generation, and rejects blocks with
 * coefficients that it already holds. If a block arrives for a full generation, its vectors are
 * eliminated one by one. Dependent blocks are then removed; once n independent blocks are held,
 * further blocks are rejected. So a generation is decoded if and only if the blocks added have rank
 * n, in any order. Elimination here is slower than in the batch; it is avoided if the caller adds
 * at most n + 4 blocks of a generation.
 *
 * <p>For one thread at a time. The caller owns the engine and the destination, which must stay open
 * until the decoder is closed.
 */
public final class BatchDecoder implements AutoCloseable {

  /**
   * The number of blocks held beyond n. In a dense code, n + 4 random blocks lack full rank with
   * probability 2^−40 · 1.004.
   */
  private static final int RESERVE = 4;

  /** The maximum bytes of coefficients and missing blocks of the generations solved together. */
  private static final long WORK_BYTES = 64 << 20;

  /** The maximum fraction of padding in a product that generations with different losses share. */
  private static final double MAX_PADDING = 0.2;

  private static final long ALIGNMENT = 64;

  private static final int HASHES_PER_ROW = 8;

  private final Engine engine;
  private final GenerationShape shape;
  private final int n;
  private final int capacity;

  /** The maximum number of blocks held of each generation. */
  private final int rows;

  /** The decoded sources: capacity × n×k. */
  private final ByteMatrices destination;

  private final HostMemory memory;

  /** The coefficients of coded blocks as received: capacity × rows×n. */
  private final ByteMatrices vectors;

  /** The payloads of coded blocks as received: capacity × rows×k. */
  private final ByteMatrices payloads;

  /** The hash of the vector, by generation and row. */
  private final long[] hashes;

  /**
   * The hashes of the vectors added, modulo {@value #HASHES_PER_ROW}·{@code rows}, by generation. A
   * vector whose bit is clear is not held.
   */
  private final BitSet seen = new BitSet();

  /** Whether the row holds a coded block, by generation and row. */
  private final BitSet filled = new BitSet();

  /** Whether the source block arrived uncoded, by generation and source block. */
  private final BitSet arrived = new BitSet();

  /** The number of coded blocks held, by generation. */
  private final int[] combinedCount;

  private final int[] arrivedCount;

  /** The bases of eliminated generations, each of exactly the blocks held. */
  private final @Nullable Basis[] bases;

  /** The generations that are decoded. */
  private final BitSet solved = new BitSet();

  /** The vector of the block being added. */
  private final MemorySegment vector;

  private final Scratch missingColumns = new Scratch();
  private final Scratch combinedRows = new Scratch();
  private final Scratch solutions = new Scratch();
  private final Scratch missingBlocks = new Scratch();

  private long firstGeneration;
  private int count;

  /**
   * Creates a decoder for generations 0 … destination.count() − 1; {@link #reset} selects others.
   *
   * @param engine computes inverses and products
   * @param shape the shape of every generation
   * @param destination capacity × n×k bytes; generation {@code firstGeneration() + i} goes to
   *     matrix i. It is written from the first {@link #add} on. Memory of {@link
   *     Engine#allocateHost} is fastest; capacity · (n + 4) · (n + k) more bytes of it are
   *     allocated
   * @throws IllegalArgumentException if the destination has another shape or no matrix
   */
  public BatchDecoder(Engine engine, GenerationShape shape, ByteMatrices destination) {
    engine.requireOpen();
    if (destination.count() < 1) {
      throw new IllegalArgumentException("capacity " + destination.count() + " is less than 1");
    }
    shape.requirePayloads("destination", destination, destination.count(), shape.blocks());
    this.engine = engine;
    this.shape = shape;
    this.n = shape.blocks();
    this.destination = destination;
    this.capacity = Math.toIntExact(destination.count());
    this.count = capacity;
    this.rows = n + RESERVE;
    this.hashes = new long[Math.multiplyExact(capacity, rows)];
    this.combinedCount = new int[capacity];
    this.arrivedCount = new int[capacity];
    this.bases = new Basis[capacity];
    long rowCount = (long) capacity * rows;
    long stride = ByteMatrices.paddedStride(shape.blockSize());
    long vectorBytes = (rowCount * n + ALIGNMENT - 1) & -ALIGNMENT;
    long payloadBytes = rowCount * stride;
    this.memory = engine.allocateHost(vectorBytes + payloadBytes + n);
    this.vectors = ByteMatrices.packed(memory.segment(), capacity, rows, n);
    this.payloads =
        new ByteMatrices(
            memory.segment().asSlice(vectorBytes, payloadBytes),
            capacity,
            rows,
            shape.blockSize(),
            stride,
            rows * stride);
    this.vector = memory.segment().asSlice(vectorBytes + payloadBytes);
  }

  /** Returns the shape of the generations. */
  public GenerationShape shape() {
    return shape;
  }

  /** Returns the maximum number of generations in a batch. */
  public int capacity() {
    return capacity;
  }

  /** Returns the number of generations in the current batch. */
  public int count() {
    return count;
  }

  /** Returns the number of the first generation in the current batch. */
  public long firstGeneration() {
    return firstGeneration;
  }

  /**
   * Removes all blocks and starts a batch of generations {@code firstGeneration} … {@code
   * firstGeneration + count − 1}.
   *
   * @throws IllegalArgumentException if count is not in 1 … capacity or a generation exceeds 2^32 −
   *     1
   */
  public void reset(long firstGeneration, int count) {
    if (count < 1 || count > capacity) {
      throw new IllegalArgumentException("count " + count + " is not in 1…" + capacity);
    }
    Code.requireCounters(firstGeneration, count, 0, 0);
    this.firstGeneration = firstGeneration;
    this.count = count;
    filled.clear();
    seen.clear();
    arrived.clear();
    solved.clear();
    Arrays.fill(combinedCount, 0);
    Arrays.fill(arrivedCount, 0);
    closeBases();
  }

  /**
   * Returns the number of blocks held of a generation, 0 … n + 4. The blocks are distinct; they are
   * independent once the generation was eliminated, by a surplus block or by {@link #decode}.
   *
   * @throws IllegalArgumentException if the generation is not in the current batch
   */
  public int held(long generation) {
    return held(position(generation));
  }

  private int held(int g) {
    return arrivedCount[g] + combinedCount[g];
  }

  /** Returns true if all source blocks of the current batch have arrived uncoded. */
  public boolean isUncoded() {
    return arrived.cardinality() == count * n;
  }

  /** Returns the number of source blocks of generation g that did not arrive uncoded. */
  private int missing(int g) {
    return n - arrivedCount[g];
  }

  /**
   * Adds a block, which is copied.
   *
   * @return true if it was kept; false if it is zero, already held, or of no further use
   * @throws IllegalArgumentException if its generation is not in the current batch, its payload is
   *     not k bytes, or its vector does not fit n blocks
   */
  public boolean add(CodedBlock block) {
    int g = position(block.generation());
    shape.requirePayload(block.payload());
    if (held(g) == rows && bases[g] == null) {
      eliminate(g);
    }
    if (solved.get(g) || arrivedCount[g] == n || (bases[g] != null && held(g) == n)) {
      return false;
    }
    block.vector().expand(shape.code(), block.generation(), vector);
    int source = VectorScan.unitIndex(vector, 0, n);
    if (source == VectorScan.ZERO) {
      return false;
    }
    return source == VectorScan.COMBINED || isTriangular()
        ? addCombined(g, block.payload())
        : addSource(g, source, block.payload());
  }

  /** Returns true if frames may form a triangle, which uncoded frames may belong to. */
  private boolean isTriangular() {
    return shape.code() instanceof Code.Pipeline;
  }

  private boolean addSource(int g, int source, MemorySegment payload) {
    if (arrived.get(g * n + source) || !isIndependent(g)) {
      return false;
    }
    destination.row(g, source).copyFrom(payload);
    arrived.set(g * n + source);
    arrivedCount[g]++;
    return true;
  }

  private boolean addCombined(int g, MemorySegment payload) {
    long hash = VectorScan.hash(vector, 0, n);
    if (isHeld(g, hash) || !isIndependent(g)) {
      return false;
    }
    int row = freeRow(g);
    vectors.row(g, row).copyFrom(vector);
    payloads.row(g, row).copyFrom(payload);
    hashes[g * rows + row] = hash;
    seen.set(seenIndex(g, hash));
    filled.set(g * rows + row);
    combinedCount[g]++;
    return true;
  }

  /**
   * Adds the vector to the basis of generation g, if it has one; returns false if it is dependent.
   */
  private boolean isIndependent(int g) {
    Basis basis = bases[g];
    return basis == null || basis.add(vector) != Basis.NOT_INNOVATIVE;
  }

  /** Returns true if a block with the same vector is held. */
  private boolean isHeld(int g, long hash) {
    if (!seen.get(seenIndex(g, hash))) {
      return false;
    }
    int end = (g + 1) * rows;
    for (int at = nextFilled(g * rows); at < end; at = nextFilled(at + 1)) {
      if (hashes[at] == hash && vectors.row(g, at - g * rows).mismatch(vector) < 0) {
        return true;
      }
    }
    return false;
  }

  private int seenIndex(int g, long hash) {
    int size = HASHES_PER_ROW * rows;
    return Math.toIntExact((long) g * size + Long.remainderUnsigned(hash, size));
  }

  /** Returns the first filled row from {@code at} on, counted over all generations. */
  private int nextFilled(int at) {
    int next = filled.nextSetBit(at);
    return next < 0 ? Integer.MAX_VALUE : next;
  }

  /** Returns the row for the block: by sequence number in a triangle, else the first free row. */
  private int freeRow(int g) {
    int first = g * rows;
    if (isTriangular()) {
      int frame = VectorScan.support(vector, 0, n) - 1;
      if (!filled.get(first + frame)) {
        return frame;
      }
      int reserve = filled.nextClearBit(first + n) - first;
      if (reserve < rows) {
        return reserve;
      }
    }
    return filled.nextClearBit(first) - first;
  }

  /** Removes the dependent blocks of a generation. */
  private void eliminate(int g) {
    Basis basis = engine.eliminations().basis(shape.field(), n);
    bases[g] = basis;
    for (int source = 0; source < n; source++) {
      if (arrived.get(g * n + source)) {
        vector.fill((byte) 0);
        vector.set(JAVA_BYTE, source, (byte) 1);
        basis.add(vector);
      }
    }
    int end = (g + 1) * rows;
    for (int at = nextFilled(g * rows); at < end; at = nextFilled(at + 1)) {
      if (basis.rank() == n || basis.add(vectors.row(g, at - g * rows)) == Basis.NOT_INNOVATIVE) {
        filled.clear(at);
        combinedCount[g]--;
      }
    }
  }

  /**
   * Decodes every generation of full rank. Blocks stay held: add more blocks and decode again where
   * the rank is too low.
   *
   * @return the rank of each generation. If it is n, the destination holds the generation.
   *     Otherwise it holds only the source blocks that arrived uncoded; other rows are unchanged
   */
  public int[] decode() {
    BitSet open = new BitSet();
    for (int g = 0; g < count; g++) {
      if (held(g) < n && bases[g] == null) {
        eliminate(g);
      }
      open.set(g, held(g) >= n && !solved.get(g));
    }
    while (!open.isEmpty()) {
      int from = open.nextSetBit(0);
      int end = endOfRun(from, open);
      solve(from, end);
      for (int g = from; g < end; g++) {
        open.set(g, !solved.get(g) && held(g) >= n);
      }
    }
    int[] ranks = new int[count];
    for (int g = 0; g < count; g++) {
      ranks[g] = Math.min(n, held(g));
    }
    return ranks;
  }

  /** The method by which a generation is solved. */
  private enum Solution {
    /** All source blocks arrived uncoded. */
    COPIED,
    /** Some source blocks arrived uncoded. */
    COMPLETED,
    /** No source block arrived uncoded. */
    INVERTED,
    /** No source block arrived uncoded, and the vectors form a triangle. */
    SUBSTITUTED
  }

  private Solution way(int g) {
    if (missing(g) == 0) {
      return Solution.COPIED;
    }
    if (missing(g) < n) {
      return Solution.COMPLETED;
    }
    return isTriangular() && isTriangle(g) ? Solution.SUBSTITUTED : Solution.INVERTED;
  }

  /**
   * Returns true if row s of generation g combines source blocks 0 … s, for every s (HPDS, Figure
   * 1).
   */
  private boolean isTriangle(int g) {
    for (int row = 0; row < n; row++) {
      if (!filled.get(g * rows + row)
          || VectorScan.support(vectors.data(), vectors.offset(g, row), n) != row + 1) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the end of the longest run of open generations from {@code from} on that one job can
   * solve.
   */
  private int endOfRun(int from, BitSet open) {
    Solution way = way(from);
    int maxMissing = missing(from);
    long total = maxMissing;
    int end = from + 1;
    while (open.get(end) && way(end) == way) {
      int missing = missing(end);
      maxMissing = Math.max(maxMissing, missing);
      total += missing;
      long generations = end + 1L - from;
      boolean fits = way != Solution.COMPLETED || generations * workBytes(maxMissing) <= WORK_BYTES;
      if (!fits || generations * maxMissing - total > MAX_PADDING * generations * maxMissing) {
        break;
      }
      end++;
    }
    return end;
  }

  private long workBytes(int missing) {
    return missing * (missing + 2L * n + shape.blockSize());
  }

  private void solve(int from, int end) {
    switch (way(from)) {
      case COPIED -> solved.set(from, end);
      case COMPLETED -> complete(from, end);
      case INVERTED -> invert(from, end);
      case SUBSTITUTED -> substitute(from, end);
    }
  }

  /**
   * Solves generations of a pipeline code: each frame from the frames before it (HPDS, Equation 1).
   */
  private void substitute(int from, int end) {
    engine
        .substitutions()
        .solve(
            shape.field(),
            vectors.matrices(from, end - from).rows(0, n),
            payloads.matrices(from, end - from).rows(0, n),
            destination.matrices(from, end - from));
    solved.set(from, end);
  }

  /** Solves generations without uncoded source blocks: b = C⁻¹ x (Nuclei, Equation 2). */
  private void invert(int from, int end) {
    for (int g = from; g < end; g++) {
      closeGaps(g);
    }
    int[] ranks =
        engine
            .eliminations()
            .solve(
                shape.field(),
                vectors.matrices(from, end - from).rows(0, n),
                payloads.matrices(from, end - from).rows(0, n),
                destination.matrices(from, end - from));
    for (int g = from; g < end; g++) {
      accept(g, ranks[g - from] == n);
    }
  }

  /** Moves blocks from the reserve rows to empty rows before them. */
  private void closeGaps(int g) {
    int first = g * rows;
    for (int at = filled.nextClearBit(first); at < first + n; at = filled.nextClearBit(at)) {
      int last = filled.previousSetBit(first + rows - 1);
      vectors.row(g, at - first).copyFrom(vectors.row(g, last - first));
      payloads.row(g, at - first).copyFrom(payloads.row(g, last - first));
      hashes[at] = hashes[last];
      filled.set(at);
      filled.clear(last);
    }
  }

  /** Marks a generation as decoded, or removes its dependent blocks. */
  private void accept(int g, boolean isRegular) {
    if (isRegular) {
      solved.set(g);
    } else if (bases[g] == null) {
      eliminate(g);
    } else {
      throw new IllegalStateException(
          "the engine reports independent blocks of generation %d as dependent"
              .formatted(firstGeneration + g));
    }
  }

  /**
   * Solves generations of which source blocks U arrived uncoded and M are missing. Let R be the
   * vectors of |M| coded blocks, y their payloads, and A the columns M of R. Then R·b = y gives b_M
   * = A⁻¹·y − (A⁻¹·R)_U · b_U. In R, A is replaced by the unit matrix, whose product is A⁻¹, and y
   * is stored in the rows of the destination for b_M. So only A⁻¹·R is solved for, and its product
   * by the destination gives the missing blocks. All matrices are padded to {@code maxMissing}
   * rows, A with ones on its diagonal.
   */
  private void complete(int from, int end) {
    int maxMissing = 0;
    for (int g = from; g < end; g++) {
      maxMissing = Math.max(maxMissing, missing(g));
    }
    int generations = end - from;
    ByteMatrices columns = missingColumns.matrices(generations, maxMissing, maxMissing);
    ByteMatrices combined = combinedRows.matrices(generations, maxMissing, n);
    ByteMatrices coefficients = solutions.matrices(generations, maxMissing, n);
    int[][] sources = new int[generations][];
    for (int i = 0; i < generations; i++) {
      sources[i] = missingSources(from + i);
      gather(from + i, sources[i], columns, combined, i);
    }
    int[] ranks = engine.eliminations().solve(shape.field(), columns, combined, coefficients);
    for (int first = 0; first < generations; ) {
      int last = first;
      while (last < generations && ranks[last] == maxMissing) {
        last++;
      }
      if (last > first) {
        multiply(from, first, last, sources, coefficients);
        first = last;
      } else {
        accept(from + first, false);
        first++;
      }
    }
  }

  /**
   * Gathers the rows R of coded blocks of generation g, with a unit matrix in place of the columns
   * A of missing sources, and those columns.
   */
  private void gather(int g, int[] sources, ByteMatrices columns, ByteMatrices combined, int at) {
    columns.matrices(at, 1).data().asSlice(0, columns.pitch()).fill((byte) 0);
    // Padding rows of R may have any content: A⁻¹ multiplies them by zero.
    // Single bytes of segments are slow until they are compiled, arrays are not.
    byte[] vector = new byte[n];
    byte[] missing = new byte[sources.length];
    int row = g * rows - 1;
    for (int i = 0; i < columns.rows(); i++) {
      if (i >= sources.length) {
        columns.data().set(JAVA_BYTE, columns.offset(at, i) + i, (byte) 1);
        continue;
      }
      row = nextFilled(row + 1);
      MemorySegment.copy(vectors.row(g, row - g * rows), JAVA_BYTE, 0, vector, 0, n);
      for (int j = 0; j < sources.length; j++) {
        missing[j] = vector[sources[j]];
        vector[sources[j]] = (byte) (i == j ? 1 : 0);
      }
      MemorySegment.copy(
          missing, 0, columns.data(), JAVA_BYTE, columns.offset(at, i), missing.length);
      MemorySegment.copy(vector, 0, combined.row(at, i), JAVA_BYTE, 0, n);
    }
  }

  /** Computes the missing blocks of generations {@code from + first} … {@code from + last − 1}. */
  private void multiply(int from, int first, int last, int[][] sources, ByteMatrices coefficients) {
    for (int i = first; i < last; i++) {
      int g = from + i;
      int row = g * rows - 1;
      for (int source : sources[i]) {
        row = nextFilled(row + 1);
        destination.row(g, source).copyFrom(payloads.row(g, row - g * rows));
      }
    }
    ByteMatrices blocks =
        missingBlocks.matrices(last - first, coefficients.rows(), shape.blockSize());
    engine
        .products()
        .multiply(
            shape.field(),
            coefficients.matrices(first, last - first),
            destination.matrices(from + first, last - first),
            blocks);
    for (int i = first; i < last; i++) {
      for (int j = 0; j < sources[i].length; j++) {
        destination.row(from + i, sources[i][j]).copyFrom(blocks.row(i - first, j));
      }
      solved.set(from + i);
    }
  }

  private int[] missingSources(int g) {
    int[] missing = new int[missing(g)];
    int at = g * n - 1;
    for (int i = 0; i < missing.length; i++) {
      at = arrived.nextClearBit(at + 1);
      missing[i] = at - g * n;
    }
    return missing;
  }

  private int position(long generation) {
    long position = generation - firstGeneration;
    if (position < 0 || position >= count) {
      throw new IllegalArgumentException(
          "generation %d is not in %d…%d"
              .formatted(generation, firstGeneration, firstGeneration + count - 1));
    }
    return (int) position;
  }

  private void closeBases() {
    for (int g = 0; g < capacity; g++) {
      Basis basis = bases[g];
      if (basis != null) {
        basis.close();
        bases[g] = null;
      }
    }
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    closeBases();
    memory.close();
    missingColumns.close();
    combinedRows.close();
    solutions.close();
    missingBlocks.close();
  }
}
