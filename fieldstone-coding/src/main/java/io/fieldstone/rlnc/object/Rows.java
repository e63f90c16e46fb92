package io.fieldstone.rlnc.object;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.engine.coding.VectorScan;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.object.Workspaces.Workspace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The independent blocks of one generation as they arrived: sender, coding vector and payload of
 * each. Source blocks are only copied until the first coded block arrives; then a {@link Basis}
 * finds out which blocks are innovative.
 *
 * <p>For one thread at a time. {@link #decode} may run on another thread while nothing is added.
 */
final class Rows implements AutoCloseable {

  /** No source block, as a position. */
  private static final int CODED = -1;

  private static final int RECODING_DOMAIN = 3;

  private final Engine engine;
  private final GenerationShape shape;
  private final int n;
  private final int k;
  private final MemorySegment payloads;
  private final MemorySegment vectors;
  private final MemorySegment[] vectorRows;
  private final int[] senders;
  private final int[] positions;
  private final int[] rowOfSlot;
  private final BitSet sources = new BitSet();
  private final Workspaces workspaces;
  private final HostMemory memory;

  /** Made for the first coded block. */
  private @Nullable Basis basis;

  private boolean isBasisFilled;
  private int count;

  /**
   * Creates an instance without blocks.
   *
   * @param memory {@link #bytes} bytes, which are freed with this instance
   */
  Rows(Engine engine, GenerationShape shape, HostMemory memory, Workspaces workspaces) {
    this.engine = engine;
    this.workspaces = workspaces;
    this.memory = memory;
    this.shape = shape;
    this.n = shape.blocks();
    this.k = shape.blockSize();
    this.vectors = memory.segment().asSlice(0, (long) n * n);
    this.payloads = memory.segment().asSlice((long) n * n, shape.bytes());
    this.vectorRows = new MemorySegment[n];
    for (int row = 0; row < n; row++) {
      vectorRows[row] = vectors.asSlice((long) row * n, n);
    }
    this.senders = new int[n];
    this.positions = new int[n];
    this.rowOfSlot = new int[n];
  }

  /** Returns the bytes of memory for the blocks of a generation. */
  static long bytes(GenerationShape shape) {
    return (long) shape.blocks() * shape.blocks() + shape.bytes();
  }

  private Basis basis() {
    Basis made = basis;
    if (made == null) {
      made = engine.eliminations().basis(shape.field(), n);
      basis = made;
    }
    return made;
  }

  /** Removes all blocks, for another generation of the same shape. */
  void clear() {
    count = 0;
    sources.clear();
    isBasisFilled = false;
  }

  GenerationShape shape() {
    return shape;
  }

  /** Returns the number of blocks, which are independent. */
  int rank() {
    return count;
  }

  boolean isComplete() {
    return count == n;
  }

  boolean holdsSource(int position) {
    return sources.get(position);
  }

  /** Adds source block {@code position} if it is innovative. */
  boolean addSource(int sender, int position, MemorySegment packet, long payloadAt) {
    if (count == n || sources.get(position)) {
      return false;
    }
    MemorySegment vector = vectorRows[count];
    vector.fill((byte) 0);
    vector.set(ValueLayout.JAVA_BYTE, position, (byte) 1);
    if (isBasisFilled && !isInnovative(vector)) {
      return false;
    }
    sources.set(position);
    keep(sender, position, packet, payloadAt);
    return true;
  }

  /** Adds the block that a sender with a seed made with an index, if it is innovative. */
  boolean addSeeded(
      int sender, long seed, int generation, int index, MemorySegment packet, long payloadAt) {
    if (count == n) {
      return false;
    }
    shape.code().coefficients(seed, generation, index, vectors, (long) count * n, n);
    return addCoded(sender, packet, payloadAt);
  }

  /** Adds a block whose vector precedes its payload, if it is innovative. */
  boolean addExplicit(int sender, MemorySegment packet, long vectorAt) {
    if (count == n) {
      return false;
    }
    MemorySegment.copy(packet, vectorAt, vectors, (long) count * n, n);
    return addCoded(sender, packet, vectorAt + n);
  }

  private boolean addCoded(int sender, MemorySegment packet, long payloadAt) {
    if (!isBasisFilled) {
      fillBasis();
    }
    if (!isInnovative(vectorRows[count])) {
      return false;
    }
    keep(sender, CODED, packet, payloadAt);
    return true;
  }

  private boolean isInnovative(MemorySegment vector) {
    int slot = basis().add(vector);
    if (slot == Basis.NOT_INNOVATIVE) {
      return false;
    }
    rowOfSlot[slot] = count;
    return true;
  }

  private void keep(int sender, int position, MemorySegment packet, long payloadAt) {
    MemorySegment.copy(packet, payloadAt, payloads, (long) count * k, k);
    senders[count] = sender;
    positions[count] = position;
    count++;
  }

  private void fillBasis() {
    Basis filled = basis();
    filled.clear();
    for (int row = 0; row < count; row++) {
      rowOfSlot[filled.add(vectorRows[row])] = row;
    }
    isBasisFilled = true;
  }

  /**
   * Removes the blocks of some rows.
   *
   * @return the number of blocks removed
   */
  int removeRows(IntPredicate isRemoved) {
    int kept = 0;
    for (int row = 0; row < count; row++) {
      if (isRemoved.test(row)) {
        if (positions[row] != CODED) {
          sources.clear(positions[row]);
        }
        continue;
      }
      if (kept < row) {
        vectorRows[kept].copyFrom(vectorRows[row]);
        MemorySegment.copy(payloads, (long) row * k, payloads, (long) kept * k, k);
        senders[kept] = senders[row];
        positions[kept] = positions[row];
      }
      kept++;
    }
    int removed = count - kept;
    count = kept;
    if (removed > 0) {
      isBasisFilled = false;
      if (!positionsAreAllSources()) {
        fillBasis();
      }
    }
    return removed;
  }

  private boolean positionsAreAllSources() {
    return sources.cardinality() == count;
  }

  int sender(int row) {
    return senders[row];
  }

  /** Returns the position of the source block in a row, negative for a coded block. */
  int position(int row) {
    return positions[row];
  }

  /** Returns the first row from one on with a source block that is wanted; −1 if there is none. */
  int nextSource(int from, IntPredicate isWanted) {
    for (int row = from; row < count; row++) {
      if (positions[row] != CODED && isWanted.test(positions[row])) {
        return row;
      }
    }
    return -1;
  }

  MemorySegment payload(int row) {
    return payloads.asSlice((long) row * k, k);
  }

  /** Calls an action with each sender of a block, once. */
  void forEachSender(IntConsumer action) {
    int[] distinct = Arrays.stream(senders, 0, count).distinct().toArray();
    for (int sender : distinct) {
      action.accept(sender);
    }
  }

  /** Returns the number of senders of the blocks. */
  int senderCount() {
    return (int) Arrays.stream(senders, 0, count).distinct().count();
  }

  /** Writes the generation, n·k bytes. */
  void decode(MemorySegment output) {
    int missing = n - sources.cardinality();
    for (int row = 0; row < n; row++) {
      if (positions[row] != CODED) {
        MemorySegment.copy(payloads, (long) row * k, output, (long) positions[row] * k, k);
      }
    }
    if (missing == 0) {
      return;
    }
    workspaces.run(workspace -> solve(missing, output, workspace));
  }

  /** Writes the source blocks that have not arrived. */
  private void solve(int missing, MemorySegment output, Workspace workspace) {
    ByteMatrices solutions = workspace.combinations().matrix(missing + 1, n);
    MemorySegment bySlot = solutions.row(0, missing);
    int next = 0;
    for (int source = sources.nextClearBit(0);
        source < n;
        source = sources.nextClearBit(source + 1)) {
      basis().solution(source, bySlot);
      long at = solutions.offset(0, next++);
      for (int slot = 0; slot < n; slot++) {
        solutions
            .data()
            .set(
                ValueLayout.JAVA_BYTE,
                at + rowOfSlot[slot],
                bySlot.get(ValueLayout.JAVA_BYTE, slot));
      }
    }
    ByteMatrices solved = workspace.products().matrix(missing, k);
    engine
        .products()
        .multiply(
            shape.field(), solutions.rows(0, missing), ByteMatrices.of(payloads, n, k), solved);
    next = 0;
    for (int source = sources.nextClearBit(0);
        source < n;
        source = sources.nextClearBit(source + 1)) {
      MemorySegment.copy(solved.data(), solved.offset(0, next++), output, (long) source * k, k);
    }
  }

  /** Calls an action with each row whose payload is not that combination of the source blocks. */
  void forEachWrongRow(MemorySegment source, IntConsumer action) {
    workspaces.run(workspace -> forEachWrongRow(source, action, workspace));
  }

  private void forEachWrongRow(MemorySegment source, IntConsumer action, Workspace workspace) {
    ByteMatrices expected = workspace.products().matrix(count, k);
    engine
        .products()
        .multiply(
            shape.field(),
            ByteMatrices.of(vectors, count, n),
            ByteMatrices.of(source, n, k),
            expected);
    for (int row = 0; row < count; row++) {
      if (expected.row(0, row).mismatch(payload(row)) >= 0) {
        action.accept(row);
      }
    }
  }

  /** Writes a combination of all blocks: n coefficients at {@code offset}, then k bytes. */
  void recode(long seed, int generation, long counter, MemorySegment destination, long offset) {
    workspaces.run(workspace ->
        recode(
            seed,
            generation,
            counter,
            workspace.combinations().matrix(1, count),
            destination,
            offset));
  }

  private void recode(
      long seed,
      int generation,
      long counter,
      ByteMatrices combination,
      MemorySegment destination,
      long offset) {
    long drawn = counter;
    do {
      RandomCoefficients.writeRow(
          seed, RECODING_DOMAIN, generation, drawn, combination.data(), 0, count);
      drawn = (drawn + 1) % Code.COUNTER_LIMIT;
    } while (VectorScan.unitIndex(combination.data(), 0, count) == VectorScan.ZERO);
    MemorySegment vector = destination.asSlice(offset, n);
    MemorySegment payload = destination.asSlice(offset + n, k);
    engine
        .products()
        .multiply(
            shape.field(),
            combination,
            ByteMatrices.of(vectors, count, n),
            ByteMatrices.of(vector, 1, n));
    engine
        .products()
        .multiply(
            shape.field(),
            combination,
            ByteMatrices.of(payloads, count, k),
            ByteMatrices.of(payload, 1, k));
  }

  /** Frees the memory. */
  @Override
  public void close() {
    Basis made = basis;
    if (made != null) {
      made.close();
      basis = null;
    }
    memory.close();
  }
}
