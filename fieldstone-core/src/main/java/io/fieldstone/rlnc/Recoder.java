package io.fieldstone.rlnc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.coding.Scratch;
import io.fieldstone.engine.coding.VectorScan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Makes fresh coded blocks of one generation out of those received so far, at any rank, without
 * decoding: what a relay does instead of forwarding. A recoded block is as likely innovative to a
 * receiver as the relay's rank allows, whichever blocks the receiver has seen, and can be recoded
 * again.
 *
 * <p>Only innovative blocks are kept, at most n. Of m recoded blocks the coding vectors are
 * (m×r)·(r×n) and the payloads (m×r)·(r×k) products, r being the rank.
 *
 * <p>Each relay needs a seed of its own: two that hold the same blocks under one seed would send
 * the same blocks.
 *
 * <p>For one thread at a time. The engine stays the caller's, and must outlive the recoder.
 */
public final class Recoder implements AutoCloseable {

  private final GenerationShape shape;
  private final long generation;
  private final long seed;
  private final Basis basis;

  /** Row i is the i-th innovative block received. */
  private final ResidentBlocks vectors;

  private final ResidentBlocks payloads;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment vector;
  private final Scratch combinations = new Scratch();
  private long drawn;

  /**
   * @param engine keeps and multiplies the blocks
   * @param shape n, k, field, and the code that seeded vectors are drawn by
   * @param generation number of the generation, 0 ≤ generation &lt; 2^32
   * @param seed Philox key of the combinations
   * @throws IllegalArgumentException if the number is out of range
   */
  public Recoder(Engine engine, GenerationShape shape, long generation, long seed) {
    Code.requireCounter("generation", generation);
    this.shape = shape;
    this.generation = generation;
    this.seed = seed;
    this.basis = engine.eliminations().basis(shape.field(), shape.blocks());
    this.vectors = engine.allocate(shape.field(), 1, shape.blocks(), shape.blocks());
    this.payloads = engine.allocate(shape.field(), 1, shape.blocks(), shape.blockSize());
    this.vector = arena.allocate(shape.blocks(), Long.BYTES);
  }

  /** The shape of the generation. */
  public GenerationShape shape() {
    return shape;
  }

  /** The number of the generation. */
  public long generation() {
    return generation;
  }

  /**
   * Takes a block; it is copied.
   *
   * @return whether it was innovative; if not, nothing has changed
   * @throws IllegalArgumentException if it is of another generation, its payload is not k bytes, or
   *     its vector does not fit n blocks
   */
  public boolean add(CodedBlock block) {
    if (block.generation() != generation) {
      throw new IllegalArgumentException(
          "a block of generation " + block.generation() + " for generation " + generation);
    }
    shape.requirePayload(block.payload());
    block.vector().expand(shape.code(), generation, vector);
    int row = rank();
    if (row == shape.blocks() || basis.add(vector) == Basis.NOT_INNOVATIVE) {
      return false;
    }
    vectors.store(0, row, vector);
    payloads.store(0, row, block.payload());
    return true;
  }

  /** How many independent blocks are held. */
  public int rank() {
    return basis.rank();
  }

  /**
   * A fresh combination of all that is held, in memory of its own.
   *
   * @throws IllegalStateException if nothing is held yet
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
   * Writes m fresh combinations of all that is held. Allocates nothing that grows with the data
   * once it has seen the largest batch.
   *
   * @param vectors receives their coding vectors, m×n bytes
   * @param payloads receives their payloads, m×k bytes
   * @throws IllegalStateException if nothing is held yet, or after 2^32 combinations
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

  /** Draws a combination that is not zero; at rank 1 one draw in 256 would be. */
  private void draw(MemorySegment target, long offset, int rank) {
    do {
      if (drawn == Code.COUNTER_LIMIT) {
        throw new IllegalStateException("generation " + generation + " is out of combinations");
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
