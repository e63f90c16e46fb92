package io.fieldstone.rlnc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.Scratch;
import io.fieldstone.engine.coding.VectorScan;
import io.fieldstone.engine.memory.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Decodes many generations of one shape at once ("buffered" decoding in Nuclei, Sec. IV-F): blocks
 * are collected as they come, in any order, then all coefficient matrices are inverted together and
 * all payloads multiplied together. The decoder of files; a {@link Decoder} solves one generation
 * while it arrives.
 *
 * <p>A source block that arrives as it stands is copied to its place in the destination, and no
 * engine meets it. Only the blocks that are missing are computed: a generation of which nothing is
 * missing costs one copy a block. Frames of a pipeline code that reach to every block are
 * substituted and need no inverse.
 *
 * <p>Of each generation it holds at most n + 4 blocks, and refuses a block whose coefficients it
 * holds already. When a block comes for a generation that is full, the vectors of that generation
 * are eliminated one by one there and then: dependent ones make room for those that still help, and
 * once n independent ones are held all others are refused unread. So whatever comes in which order,
 * a generation decodes if and only if the blocks that were added have rank n. A caller who stops at
 * n + 4 blocks keeps all the work in the batch; a caller who adds everything loses only that.
 *
 * <p>For one thread at a time. The engine and the destination stay the caller's, and must outlive
 * the decoder.
 */
public final class BatchDecoder implements AutoCloseable {

  /**
   * Blocks beyond n that are kept of a generation. Of a dense code, n + 4 random blocks lack full
   * rank with probability 2^−40 · 1.004.
   */
  private static final int RESERVE = 4;

  /** Coefficients and missing blocks of the generations solved at once, in bytes. */
  private static final long WORK_BYTES = 64 << 20;

  /** Generations with unlike losses share a product if at most this part of it is padding. */
  private static final double MAX_PADDING = 0.2;

  private static final long ALIGNMENT = 64;

  private final Engine engine;
  private final GenerationShape shape;
  private final int n;
  private final int capacity;

  /** Blocks held of each generation at most. */
  private final int rows;

  /** Sources as decoded: capacity × n×k. */
  private final ByteMatrices destination;

  private final HostMemory memory;

  /** Coefficients of combined blocks as received: capacity × rows×n. */
  private final ByteMatrices vectors;

  /** Payloads of combined blocks as received: capacity × rows×k. */
  private final ByteMatrices payloads;

  /** By generation and row: the hash of the vector. */
  private final long[] hashes;

  /** By generation and row: whether a combined block is there. */
  private final BitSet filled = new BitSet();

  /** By generation and source block: whether it arrived as it stands. */
  private final BitSet arrived = new BitSet();

  /** By generation: how many of the two there are. */
  private final int[] combinedCount;

  private final int[] arrivedCount;

  /** Of generations that have been eliminated: a basis of just the blocks held. */
  private final @Nullable Basis[] bases;

  /** Generations that are decoded. */
  private final BitSet solved = new BitSet();

  private final Arena arena = Arena.ofShared();

  /** The vector of the block that is being added. */
  private final MemorySegment vector;

  private final Scratch missingColumns = new Scratch();
  private final Scratch combinedRows = new Scratch();
  private final Scratch solutions = new Scratch();
  private final Scratch missingBlocks = new Scratch();

  private long firstGeneration;
  private int count;

  /**
   * A decoder for generations 0 … destination.count() − 1; see {@link #reset} for others.
   *
   * @param engine inverts and multiplies
   * @param shape of every generation
   * @param destination capacity × n×k bytes: generation {@code firstGeneration() + i} goes to
   *     matrix i. Written from the first {@link #add} on. Fastest if it is memory of {@link
   *     Engine#allocateHost}, of which capacity · (n + 4) · (n + k) bytes more are reserved
   * @throws IllegalArgumentException if the destination has another shape or no matrix
   */
  public BatchDecoder(Engine engine, GenerationShape shape, ByteMatrices destination) {
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
    this.memory = engine.allocateHost(vectorBytes + rowCount * stride);
    this.vectors = ByteMatrices.packed(memory.segment(), capacity, rows, n);
    this.payloads =
        new ByteMatrices(
            memory.segment().asSlice(vectorBytes),
            capacity,
            rows,
            shape.blockSize(),
            stride,
            rows * stride);
    this.vector = arena.allocate(n, Long.BYTES);
  }

  /** The shape of the generations. */
  public GenerationShape shape() {
    return shape;
  }

  /** How many generations it can decode at once. */
  public int capacity() {
    return capacity;
  }

  /** How many generations it decodes now. */
  public int count() {
    return count;
  }

  /** Number of the first generation it decodes now. */
  public long firstGeneration() {
    return firstGeneration;
  }

  /**
   * Forgets all blocks and turns to generations {@code firstGeneration} … {@code firstGeneration +
   * count − 1}.
   *
   * @throws IllegalArgumentException if count is not in 1 … capacity or a generation passes 2^32 −
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
    arrived.clear();
    solved.clear();
    Arrays.fill(combinedCount, 0);
    Arrays.fill(arrivedCount, 0);
    closeBases();
  }

  /**
   * Blocks held of a generation, 0 … n + 4: different ones, or, once more were added than fit or
   * after {@link #decode} found too few, independent ones.
   *
   * @throws IllegalArgumentException if the generation is not among those being decoded
   */
  public int held(long generation) {
    return held(position(generation));
  }

  private int held(int g) {
    return arrivedCount[g] + combinedCount[g];
  }

  /** How many source blocks of generation g did not arrive as they stand. */
  private int missing(int g) {
    return n - arrivedCount[g];
  }

  /**
   * Takes a block; it is copied.
   *
   * @return whether it was kept; not if it is zero, held already, or known to be of no further use
   * @throws IllegalArgumentException if its generation is not among those being decoded, its
   *     payload is not k bytes, or its vector does not fit n blocks
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

  /** Whether frames may make a triangle, to which frames that are one source block belong too. */
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
    filled.set(g * rows + row);
    combinedCount[g]++;
    return true;
  }

  /** Adds the vector to the basis of generation g if it has one; false if it adds nothing. */
  private boolean isIndependent(int g) {
    Basis basis = bases[g];
    return basis == null || basis.add(vector) != Basis.NOT_INNOVATIVE;
  }

  /** Whether a block with the same vector is held. */
  private boolean isHeld(int g, long hash) {
    int end = (g + 1) * rows;
    for (int at = nextFilled(g * rows); at < end; at = nextFilled(at + 1)) {
      if (hashes[at] == hash && vectors.row(g, at - g * rows).mismatch(vector) < 0) {
        return true;
      }
    }
    return false;
  }

  /** A filled row from {@code at} on, counted over all generations. */
  private int nextFilled(int at) {
    int next = filled.nextSetBit(at);
    return next < 0 ? Integer.MAX_VALUE : next;
  }

  /** Frames of a triangle are put in order as they come, others where there is room. */
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

  /** Drops the blocks of a generation that depend on others. */
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
   * Decodes every generation that has full rank. Blocks stay held: where rank is short, add more
   * and decode again.
   *
   * @return the rank of each generation. Where it is n, the generation is in its matrix of the
   *     destination. Elsewhere only the source blocks are that arrived as they stand; the other
   *     rows are as they were
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

  /** How a generation is solved. */
  private enum Way {
    /** Every source block arrived. */
    COPIED,
    /** Some did. */
    COMPLETED,
    /** None did. */
    INVERTED,
    /** None did, and the vectors are a triangle. */
    SUBSTITUTED
  }

  private Way way(int g) {
    if (missing(g) == 0) {
      return Way.COPIED;
    }
    if (missing(g) < n) {
      return Way.COMPLETED;
    }
    return isTriangular() && isTriangle(g) ? Way.SUBSTITUTED : Way.INVERTED;
  }

  /** Whether row s of generation g combines source blocks 0 … s, for every s (HPDS, Fig. 1). */
  private boolean isTriangle(int g) {
    for (int row = 0; row < n; row++) {
      if (!filled.get(g * rows + row)
          || VectorScan.support(vectors.data(), vectors.offset(g, row), n) != row + 1) {
        return false;
      }
    }
    return true;
  }

  /** The end of the longest run of open generations from {@code from} on that are worth one job. */
  private int endOfRun(int from, BitSet open) {
    Way way = way(from);
    int most = missing(from);
    long total = most;
    int end = from + 1;
    while (open.get(end) && way(end) == way) {
      int missing = missing(end);
      most = Math.max(most, missing);
      total += missing;
      long generations = end + 1L - from;
      boolean fits = way != Way.COMPLETED || generations * workBytes(most) <= WORK_BYTES;
      if (!fits || generations * most - total > MAX_PADDING * generations * most) {
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

  /** Generations of a pipeline code: each frame from those before it (HPDS, Eq. 1). */
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

  /** Generations of which no source block arrived as it stands: b = C⁻¹ x (Nuclei, Eq. 2). */
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

  /** Moves blocks from the reserve to empty rows before it. */
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

  /** Takes a generation for decoded, or finds out which of its blocks depend on others. */
  private void accept(int g, boolean isRegular) {
    if (isRegular) {
      solved.set(g);
    } else if (bases[g] == null) {
      eliminate(g);
    } else {
      throw new IllegalStateException(
          "the engine finds the independent blocks of generation %d dependent"
              .formatted(firstGeneration + g));
    }
  }

  /**
   * Generations that miss some source blocks M and have the others U. With R the vectors of as many
   * combined blocks as are missing, y their payloads and A the columns M of R, R·b = y gives b_M =
   * A⁻¹·y − (A⁻¹·R)_U · b_U. Where A was in R, whose product would be the unit matrix, the unit
   * matrix is, whose product is A⁻¹; and y lies in the rows of the destination where b_M will. So
   * A⁻¹·R is all that is solved for, and the missing blocks are its product by the destination. All
   * matrices are padded to {@code most} rows, A by ones on its diagonal.
   */
  private void complete(int from, int end) {
    int most = 0;
    for (int g = from; g < end; g++) {
      most = Math.max(most, missing(g));
    }
    int generations = end - from;
    ByteMatrices columns = missingColumns.matrices(generations, most, most);
    ByteMatrices combined = combinedRows.matrices(generations, most, n);
    ByteMatrices coefficients = solutions.matrices(generations, most, n);
    int[][] sources = new int[generations][];
    for (int i = 0; i < generations; i++) {
      sources[i] = missingSources(from + i);
      gather(from + i, sources[i], columns, combined, i);
    }
    int[] ranks = engine.eliminations().solve(shape.field(), columns, combined, coefficients);
    for (int first = 0; first < generations; ) {
      int last = first;
      while (last < generations && ranks[last] == most) {
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
   * The rows R of combined blocks of generation g, and their columns A of missing sources, in whose
   * place R gets the unit matrix.
   */
  private void gather(int g, int[] sources, ByteMatrices columns, ByteMatrices combined, int at) {
    columns.matrices(at, 1).data().asSlice(0, columns.pitch()).fill((byte) 0);
    // Padding rows of R may be anything: A⁻¹ multiplies them by zero.
    int row = g * rows - 1;
    for (int i = 0; i < columns.rows(); i++) {
      if (i >= sources.length) {
        columns.data().set(JAVA_BYTE, columns.offset(at, i) + i, (byte) 1);
        continue;
      }
      row = nextFilled(row + 1);
      MemorySegment vector = vectors.row(g, row - g * rows);
      MemorySegment combination = combined.row(at, i);
      combination.copyFrom(vector);
      for (int j = 0; j < sources.length; j++) {
        columns.data().set(JAVA_BYTE, columns.offset(at, i) + j, vector.get(JAVA_BYTE, sources[j]));
        combination.set(JAVA_BYTE, sources[j], (byte) (i == j ? 1 : 0));
      }
    }
  }

  /** Makes the missing blocks of generations {@code from + first} … {@code from + last − 1}. */
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
          "generation %d is not among %d…%d"
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
    if (arena.scope().isAlive()) {
      arena.close();
      closeBases();
      memory.close();
      missingColumns.close();
      combinedRows.close();
      solutions.close();
      missingBlocks.close();
    }
  }
}
