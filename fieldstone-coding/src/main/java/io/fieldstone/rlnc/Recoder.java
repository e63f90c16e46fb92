package io.fieldstone.rlnc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Scratch;
import io.fieldstone.engine.coding.VectorScan;
import io.fieldstone.engine.memory.Allocations;
import io.fieldstone.engine.memory.CountedArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Makes new coded blocks of one generation from the blocks received so far, at any rank and without
 * decoding. Relays recode instead of forwarding. A recoded block is innovative to a receiver with
 * the probability that the relay's rank allows, and can be recoded again.
 *
 * {@snippet :
 * try (Recoder recoder = new Recoder(engine, shape, generation, relaySeed)) {
 *   recoder.add(receive());
 *   send(recoder.next());
 * }
 * }
 *
 * <p>At most n innovative blocks are kept. Of m recoded blocks, the coding vectors are (m×r)·(r×n)
 * and the payloads (m×r)·(r×k) products, where r is the rank.
 *
 * <p>Each relay needs its own seed: relays with the same blocks and seed send the same blocks.
 *
 * <p>For one thread at a time. The caller owns the engine, which must stay open until the recoder
 * is closed.
 */
public final class Recoder implements AutoCloseable {

  private final GenerationShape shape;
  private final long generation;
  private final long seed;
  private final Basis basis;

  /** The coding vectors: row i is that of the i-th innovative block received. */
  private final ResidentBlocks vectors;

  private final ResidentBlocks payloads;

  private final Arena arena = new CountedArena();
  private final MemorySegment vector;
  private final Scratch combinations = new Scratch();
  private long drawn;

  /**
   * Creates a recoder.
   *
   * @param engine keeps and multiplies the blocks
   * @param shape n, k, field, and the code that generates seeded vectors
   * @param generation the number of the generation, 0 ≤ generation &lt; 2^32
   * @param seed Philox key of the combinations
   * @throws IllegalArgumentException if the number is out of range
   */
  public Recoder(Engine engine, GenerationShape shape, long generation, long seed) {
    engine.requireOpen();
    Code.requireCounter("generation", generation);
    this.shape = shape;
    this.generation = generation;
    this.seed = seed;
    this.payloads = engine.allocate(shape.field(), 1, shape.blocks(), shape.blockSize());
    this.vectors =
        Allocations.next(
            () -> engine.allocate(shape.field(), 1, shape.blocks(), shape.blocks()),
            payloads::close);
    this.basis =
        Allocations.next(
            () -> engine.eliminations().basis(shape.field(), shape.blocks()),
            vectors::close,
            payloads::close);
    this.vector =
        Allocations.next(
            () -> arena.allocate(shape.blocks(), Long.BYTES),
            basis::close,
            vectors::close,
            payloads::close);
  }

  /** Returns the shape of the generation. */
  public GenerationShape shape() {
    return shape;
  }

  /** Returns the number of the generation. */
  public long generation() {
    return generation;
  }

  /**
   * Adds a block, which is copied.
   *
   * @return true if it was innovative; otherwise the recoder is unchanged
   * @throws IllegalArgumentException if it is of another generation, its payload is not k bytes, or
   *     its vector does not fit n blocks
   */
  public boolean add(CodedBlock block) {
    if (block.generation() != generation) {
      throw new IllegalArgumentException(
          "block of generation " + block.generation() + ", expected generation " + generation);
    }
    shape.requirePayload(block.payload());
    block.vector().expand(shape.code(), generation, vector);
    int row = rank();
    if (row == shape.blocks()) {
      return false;
    }
    // The basis comes last: a failure before it leaves a row that does not count.
    vectors.store(0, row, vector);
    payloads.store(0, row, block.payload());
    return basis.add(vector) != Basis.NOT_INNOVATIVE;
  }

  /**
   * Adds a block whose payload is the remaining bytes of a buffer, on or off the heap. Then the
   * position of the buffer is its limit.
   *
   * @see #add(CodedBlock)
   */
  public boolean add(CodingVector vector, ByteBuffer payload) {
    boolean isInnovative = add(new CodedBlock(generation, vector, MemorySegment.ofBuffer(payload)));
    payload.position(payload.limit());
    return isInnovative;
  }

  /**
   * Adds a block whose payload is an array.
   *
   * @see #add(CodedBlock)
   */
  public boolean add(CodingVector vector, byte[] payload) {
    return add(new CodedBlock(generation, vector, MemorySegment.ofArray(payload)));
  }

  /** Returns the number of independent blocks held. */
  public int rank() {
    return basis.rank();
  }

  /**
   * Returns a new combination of all blocks held, in new memory.
   *
   * @throws IllegalStateException if no block is held
   */
  public CodedBlock next() {
    MemorySegment combined = MemorySegment.ofArray(new byte[shape.blocks()]);
    MemorySegment payload = MemorySegment.ofArray(new byte[shape.blockSize()]);
    recode(
        ByteMatrices.of(combined, 1, shape.blocks()),
        ByteMatrices.of(payload, 1, shape.blockSize()));
    return new CodedBlock(generation, new CodingVector.Explicit(combined), payload);
  }

  /**
   * Writes m new combinations of all blocks held. Memory is reused from call to call.
   *
   * @param vectors receives the coding vectors, m×n bytes
   * @param payloads receives the payloads, m×k bytes
   * @throws IllegalStateException if no block is held, or after 2^32 combinations
   * @throws IllegalArgumentException if the shapes do not agree
   */
  public void recode(ByteMatrices vectors, ByteMatrices payloads) {
    int m = payloads.rows();
    shape.requirePayloads("payloads", payloads, 1, m);
    shape.requireVectors("vectors", vectors, 1, m);
    int rank = rank();
    if (rank == 0) {
      throw new IllegalStateException("no block of generation " + generation + " to recode yet");
    }
    ByteMatrices combinations = this.combinations.matrix(m, rank);
    for (int row = 0; row < m; row++) {
      draw(combinations.data(), combinations.offset(0, row), rank);
    }
    this.vectors.multiply(0, combinations, vectors);
    this.payloads.multiply(0, combinations, payloads);
  }

  /** Generates a nonzero combination; at rank 1, one in 256 would be zero. */
  private void draw(MemorySegment target, long offset, int rank) {
    do {
      if (drawn == Code.COUNTER_LIMIT) {
        throw new IllegalStateException(
            "generation " + generation + " has no combination left of 2^32");
      }
      Draws.uniform(Draws.Domain.RECODE, seed, generation, drawn++, target, offset, rank);
    } while (VectorScan.unitIndex(target, offset, rank) == VectorScan.ZERO);
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
      basis.close();
      vectors.close();
      payloads.close();
      combinations.close();
    }
  }
}
