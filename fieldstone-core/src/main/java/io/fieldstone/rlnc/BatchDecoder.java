package io.fieldstone.rlnc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Combinations;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.ResidentBlocks;
import io.fieldstone.engine.Scratch;
import io.fieldstone.engine.VectorScan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes many generations of one shape at once ("buffered" decoding in Nuclei, Sec. IV-F): blocks
 * are collected as they come, in any order, then all coefficient matrices are inverted together and
 * all payloads multiplied together. The decoder of files; a {@link Decoder} solves one generation
 * while it arrives.
 *
 * <p>Of each generation it holds at most n + reserve blocks, and refuses a block whose coefficients
 * it holds already. When a block comes for a generation that is full, the vectors of that
 * generation are eliminated one by one there and then: dependent ones make room for those that
 * still help, and once n independent ones are held all others are refused unread. So whatever comes
 * in which order, a generation decodes if and only if the blocks that were added have rank n. A
 * caller who stops at n + reserve blocks keeps all the work in the batch; a caller who adds
 * everything loses only that.
 *
 * <p>Source blocks that arrived as they are get copied, and only the blocks that are missing are
 * multiplied. Frames of a pipeline code that reach to every block are substituted and need no
 * inverse.
 *
 * <p>For one thread at a time. The engine stays the caller's, and must outlive the decoder.
 */
public final class BatchDecoder implements AutoCloseable {

  /**
   * Blocks beyond n that are kept of a generation. Of a dense code, n + 4 random blocks lack full
   * rank with probability 2^−40 · 1.004.
   */
  private static final int RESERVE = 4;

  /** Solutions and solved blocks made at once, in bytes. */
  private static final long WORK_BYTES = 64 << 20;

  /** Generations with unlike losses share a product if at most this part of it is padding. */
  private static final double PADDING = 0.2;

  private static final int COMBINATION = -1;

  private final Engine engine;
  private final GenerationShape shape;
  private final int n;
  private final int capacity;

  /** Blocks held of each generation at most. */
  private final int rows;

  private final Arena arena = Arena.ofShared();

  /** Coefficients as received: capacity × rows×n. */
  private final ByteMatrices vectors;

  /** Payloads as received: capacity × rows×k. */
  private final ResidentBlocks payloads;

  /** By generation and row: the hash of the vector, and the source block it is, or COMBINATION. */
  private final long[] hashes;

  private final int[] sourceOf;

  /**
   * By generation: rows filled, rows that are source blocks, and whether it has been eliminated.
   */
  private final int[] held;

  private final int[] sources;
  private final @Nullable Elimination[] eliminations;

  /** Of generations that a pipeline code made, which are triangular. */
  private final Triangles triangles;

  private final Combinations combinations = new Combinations();
  private final Scratch matrices = new Scratch();
  private final Scratch combined = new Scratch();
  private final Scratch parts = new Scratch();
  private final Scratch solutions = new Scratch();
  private final Scratch solved = new Scratch();

  private long firstGeneration;
  private int count;

  /**
   * A decoder for generations 0 … capacity − 1; see {@link #reset} for others.
   *
   * @param engine inverts and multiplies
   * @param shape of every generation
   * @param capacity how many generations are decoded at once, ≥ 1; memory is reserved for capacity
   *     · (n + 4) · (n + k) bytes
   * @throws IllegalArgumentException if capacity is less than 1
   */
  public BatchDecoder(Engine engine, GenerationShape shape, int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity " + capacity + " is less than 1");
    }
    this.engine = engine;
    this.shape = shape;
    this.n = shape.blocks();
    this.capacity = capacity;
    this.count = capacity;
    this.rows = n + RESERVE;
    this.vectors =
        ByteMatrices.packed(arena.allocate((long) capacity * rows * n, 64), capacity, rows, n);
    this.payloads = engine.allocate(shape.field(), capacity, rows, shape.blockSize());
    this.hashes = new long[Math.multiplyExact(capacity, rows)];
    this.sourceOf = new int[capacity * rows];
    this.held = new int[capacity];
    this.sources = new int[capacity];
    this.eliminations = new Elimination[capacity];
    this.triangles = new Triangles(capacity, n);
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
    Arrays.fill(held, 0);
    Arrays.fill(sources, 0);
    closeEliminations();
  }

  /**
   * Blocks held of a generation, 0 … n + 4: different ones, or, once more were added than fit or
   * after {@link #decode} found too few, independent ones.
   *
   * @throws IllegalArgumentException if the generation is not among those being decoded
   */
  public int held(long generation) {
    int g = position(generation);
    Elimination elimination = eliminations[g];
    return elimination == null ? held[g] : elimination.rank();
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
    if (held[g] == rows && eliminations[g] == null) {
      eliminate(g);
    }
    Elimination elimination = eliminations[g];
    return elimination == null ? collect(g, block) : addIndependent(elimination, g, block);
  }

  private boolean collect(int g, CodedBlock block) {
    if (sources[g] == n) {
      return false;
    }
    int row = held[g];
    long offset = expand(block, g, row);
    int source = VectorScan.unitIndex(vectors.data(), offset, n);
    long hash = VectorScan.hash(vectors.data(), offset, n);
    if (source == VectorScan.ZERO || isHeld(g, row, hash)) {
      return false;
    }
    payloads.store(g, row, block.payload());
    hashes[g * rows + row] = hash;
    sourceOf[g * rows + row] = source == VectorScan.COMBINED ? COMBINATION : source;
    sources[g] += source == VectorScan.COMBINED ? 0 : 1;
    held[g]++;
    return true;
  }

  /** Whether the vector in row {@code row} equals one in a row before. */
  private boolean isHeld(int g, int row, long hash) {
    for (int other = 0; other < row; other++) {
      if (hashes[g * rows + other] == hash
          && vectors.row(g, other).mismatch(vectors.row(g, row)) < 0) {
        return true;
      }
    }
    return false;
  }

  private boolean addIndependent(Elimination elimination, int g, CodedBlock block) {
    if (elimination.isComplete()) {
      return false;
    }
    int row = elimination.freeRow();
    expand(block, g, row);
    if (!elimination.add(vectors.row(g, row), row)) {
      return false;
    }
    payloads.store(g, row, block.payload());
    return true;
  }

  private long expand(CodedBlock block, int g, int row) {
    long offset = vectors.offset(g, row);
    block.vector().expand(shape.code(), block.generation(), vectors.data(), offset, n);
    return offset;
  }

  private Elimination eliminate(int g) {
    Elimination elimination = new Elimination(engine, shape);
    for (int row = 0; row < held[g] && !elimination.isComplete(); row++) {
      elimination.add(vectors.row(g, row), row);
    }
    eliminations[g] = elimination;
    return elimination;
  }

  /**
   * Decodes every generation that has full rank. Blocks stay held: where rank is short, add more
   * and decode again.
   *
   * @param destination {@link #count()} × n×k bytes; generation {@code firstGeneration() + i} goes
   *     to matrix i, which is left as it is if its rank is short
   * @return the rank of each generation; n where it was decoded
   * @throws IllegalArgumentException if the destination has another shape
   */
  public int[] decode(ByteMatrices destination) {
    shape.requirePayloads("destination", destination, count, n);
    for (int g = 0; g < count; g++) {
      if (held[g] < n && eliminations[g] == null) {
        eliminate(g);
      }
      findTriangle(g);
    }
    for (int from = 0; from < count; ) {
      int end = endOfRun(from);
      if (eliminations[from] == null) {
        decodeRun(from, end, destination);
      }
      from = end;
    }
    int[] ranks = new int[count];
    Arrays.fill(ranks, n);
    for (int g = 0; g < count; g++) {
      Elimination elimination = eliminations[g];
      if (elimination != null) {
        ranks[g] = elimination.rank();
        if (elimination.isComplete()) {
          combinations.write(payloads, g, elimination::solution, 0, destination.matrices(g, 1));
        }
      }
    }
    return ranks;
  }

  private void findTriangle(int g) {
    if (shape.code() instanceof Code.Pipeline && eliminations[g] == null && missing(g) > 0) {
      triangles.find(g, vectors, held[g]);
    } else {
      triangles.reject(g);
    }
  }

  /** How many source blocks of an uneliminated generation did not arrive as they are. */
  private int missing(int g) {
    return n - sources[g];
  }

  /** The end of the longest run of generations from {@code from} on that are worth one product. */
  private int endOfRun(int from) {
    if (eliminations[from] != null) {
      return from + 1;
    }
    if (triangles.isTriangle(from)) {
      return endOfTriangles(from);
    }
    int most = missing(from);
    long total = most;
    int end = from + 1;
    while (end < count && eliminations[end] == null && !triangles.isTriangle(end)) {
      int missing = missing(end);
      int mostThen = Math.max(most, missing);
      long padded = (long) mostThen * (end + 1 - from);
      boolean alike = (missing == n) == (most == n) && (missing == 0) == (most == 0);
      boolean fits = (end + 1L - from) * workBytes(mostThen) <= WORK_BYTES;
      if (!alike || !fits || padded - (total + missing) > PADDING * padded) {
        break;
      }
      most = mostThen;
      total += missing;
      end++;
    }
    return end;
  }

  private int endOfTriangles(int from) {
    int end = from + 1;
    while (end < count && triangles.isTriangle(end) && (end + 1L - from) * n * n <= WORK_BYTES) {
      end++;
    }
    return end;
  }

  /** Memory here for a generation; none for one that the engine solves by itself. */
  private long workBytes(int missing) {
    return missing == n ? 0 : (long) missing * (missing + 2L * n + rows + shape.blockSize());
  }

  private void decodeRun(int from, int end, ByteMatrices destination) {
    if (triangles.isTriangle(from)) {
      decodeTriangles(from, end, destination);
      return;
    }
    int most = 0;
    for (int g = from; g < end; g++) {
      most = Math.max(most, missing(g));
    }
    if (most == n) {
      decodeWhole(from, end, destination);
    } else if (most > 0) {
      decodeMissing(from, end, most, destination);
    } else {
      for (int g = from; g < end; g++) {
        copySources(g, destination);
      }
    }
  }

  /** Generations of a pipeline code: each frame from those before it (HPDS, Eq. 1). */
  private void decodeTriangles(int from, int end, ByteMatrices destination) {
    ByteMatrices lower = matrices.matrices(end - from, n, n);
    triangles.gather(from, end, vectors, lower);
    engine
        .substitutions()
        .solve(
            lower,
            payloads,
            from,
            triangles.order(from, end),
            destination.matrices(from, end - from));
  }

  /** Generations of which no source block arrived as it is: b = C⁻¹ x (Nuclei, Eq. 2). */
  private void decodeWhole(int from, int end, ByteMatrices destination) {
    int generations = end - from;
    int[] ranks =
        payloads.solve(
            from,
            vectors.matrices(from, generations).rows(0, n),
            destination.matrices(from, generations));
    for (int i = 0; i < generations; i++) {
      if (ranks[i] < n) {
        eliminate(from + i);
      }
    }
  }

  /**
   * Generations that miss some source blocks M and have the others U. With R the vectors of as many
   * combined blocks as are missing, y their payloads and A the columns M of R, R·b = y gives b_M =
   * A⁻¹·y − (A⁻¹·R)_U · b_U: only the missing blocks are multiplied. Where A was in R, whose
   * product would be the unit matrix, the unit matrix is, whose product is A⁻¹; so A⁻¹·R is all
   * that is solved for. All matrices are padded to {@code most} rows, A by ones on its diagonal.
   */
  private void decodeMissing(int from, int end, int most, ByteMatrices destination) {
    int generations = end - from;
    ByteMatrices missingColumns = matrices.matrices(generations, most, most);
    ByteMatrices combinedRows = combined.matrices(generations, most, n);
    ByteMatrices known = parts.matrices(generations, most, n);
    for (int i = 0; i < generations; i++) {
      gather(from + i, missingColumns, combinedRows, i);
    }
    int[] ranks = engine.eliminations().solve(shape.field(), missingColumns, combinedRows, known);
    ByteMatrices bySource = solutions.matrices(generations, most, rows);
    for (int i = 0; i < generations; i++) {
      if (ranks[i] == most) {
        combine(from + i, known, bySource, i);
      }
    }
    ByteMatrices blocks = solved.matrices(generations, most, shape.blockSize());
    forEachRegular(
        ranks,
        most,
        from,
        (first, count) -> {
          payloads.multiply(
              from + first, bySource.matrices(first, count), blocks.matrices(first, count));
          for (int i = first; i < first + count; i++) {
            copySources(from + i, destination);
            copySolved(from + i, blocks, i, destination);
          }
        });
  }

  /** Something done to matrices {@code first} … {@code first + count − 1} of a run. */
  private interface Part {
    void run(int first, int count);
  }

  /** Runs over the longest stretches of full rank, and eliminates the generations in between. */
  private void forEachRegular(int[] ranks, int full, int from, Part part) {
    for (int first = 0; first < ranks.length; ) {
      int end = first;
      while (end < ranks.length && ranks[end] == full) {
        end++;
      }
      if (end > first) {
        part.run(first, end - first);
      } else {
        eliminate(from + first);
        end++;
      }
      first = end;
    }
  }

  /**
   * The rows R of combined blocks of generation g, and their columns A of missing sources, in whose
   * place R gets the unit matrix.
   */
  private void gather(int g, ByteMatrices missingColumns, ByteMatrices combinedRows, int at) {
    missingColumns.matrices(at, 1).data().asSlice(0, missingColumns.pitch()).fill((byte) 0);
    // Padding rows of R may be anything: A⁻¹ multiplies them by zero.
    int[] missing = missingSources(g);
    int[] rowsOfCombined = rowsOfCombined(g, missing.length);
    for (int i = 0; i < missingColumns.rows(); i++) {
      long to = missingColumns.offset(at, i);
      if (i >= missing.length) {
        missingColumns.data().set(JAVA_BYTE, to + i, (byte) 1);
        continue;
      }
      long from = vectors.offset(g, rowsOfCombined[i]);
      MemorySegment.copy(vectors.data(), from, combinedRows.data(), combinedRows.offset(at, i), n);
      long row = combinedRows.offset(at, i);
      for (int j = 0; j < missing.length; j++) {
        missingColumns
            .data()
            .set(JAVA_BYTE, to + j, vectors.data().get(JAVA_BYTE, from + missing[j]));
        combinedRows.data().set(JAVA_BYTE, row + missing[j], (byte) (i == j ? 1 : 0));
      }
    }
  }

  /** The solutions of the missing sources of generation g over its rows of payloads. */
  private void combine(int g, ByteMatrices known, ByteMatrices bySource, int at) {
    bySource.matrices(at, 1).data().asSlice(0, bySource.pitch()).fill((byte) 0);
    int[] missing = missingSources(g);
    int[] rowsOfCombined = rowsOfCombined(g, missing.length);
    for (int i = 0; i < rowsOfCombined.length; i++) {
      long to = bySource.offset(at, i);
      long from = known.offset(at, i);
      for (int row = 0; row < held[g]; row++) {
        int source = sourceOf[g * rows + row];
        if (source != COMBINATION) {
          byte coefficient = known.data().get(JAVA_BYTE, from + source);
          bySource.data().set(JAVA_BYTE, to + row, coefficient);
        }
      }
      for (int j = 0; j < rowsOfCombined.length; j++) {
        byte coefficient = known.data().get(JAVA_BYTE, from + missing[j]);
        bySource.data().set(JAVA_BYTE, to + rowsOfCombined[j], coefficient);
      }
    }
  }

  private int[] missingSources(int g) {
    boolean[] arrived = new boolean[n];
    for (int row = 0; row < held[g]; row++) {
      int source = sourceOf[g * rows + row];
      if (source != COMBINATION) {
        arrived[source] = true;
      }
    }
    int[] missing = new int[missing(g)];
    int at = 0;
    for (int source = 0; source < n; source++) {
      if (!arrived[source]) {
        missing[at++] = source;
      }
    }
    return missing;
  }

  /** The first {@code wanted} rows of generation g that hold combinations; there are enough. */
  private int[] rowsOfCombined(int g, int wanted) {
    int[] found = new int[wanted];
    int at = 0;
    for (int row = 0; at < wanted; row++) {
      if (sourceOf[g * rows + row] == COMBINATION) {
        found[at++] = row;
      }
    }
    return found;
  }

  private void copySources(int g, ByteMatrices destination) {
    for (int row = 0; row < held[g]; row++) {
      int source = sourceOf[g * rows + row];
      if (source != COMBINATION) {
        payloads.read(g, row, destination.row(g, source));
      }
    }
  }

  private void copySolved(int g, ByteMatrices blocks, int at, ByteMatrices destination) {
    int[] missing = missingSources(g);
    for (int i = 0; i < missing.length; i++) {
      MemorySegment.copy(
          blocks.data(),
          blocks.offset(at, i),
          destination.data(),
          destination.offset(g, missing[i]),
          blocks.columns());
    }
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

  private void closeEliminations() {
    for (int g = 0; g < capacity; g++) {
      Elimination elimination = eliminations[g];
      if (elimination != null) {
        elimination.close();
        eliminations[g] = null;
      }
    }
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
      closeEliminations();
      payloads.close();
      combinations.close();
      for (Scratch scratch : new Scratch[] {matrices, combined, parts, solutions, solved}) {
        scratch.close();
      }
    }
  }
}
