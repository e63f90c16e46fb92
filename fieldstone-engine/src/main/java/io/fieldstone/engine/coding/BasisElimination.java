package io.fieldstone.engine.coding;

import io.fieldstone.engine.memory.MemoryPreconditions;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Progressive elimination that processes payloads only when source blocks are read. A {@link Basis}
 * reduces the vectors, {@link ResidentBlocks} store each payload under its slot, and one product
 * computes the solved blocks. With vectors on the host and payloads on a GPU, the CPU assists more
 * than in Nuclei (Sec. IV-F.1), and there are no n² row operations on payloads.
 */
final class BasisElimination implements ProgressiveElimination {

  private final Basis basis;

  /** The payload received into slot s of the basis is row s. */
  private final ResidentBlocks payloads;

  private final Combinations combinations = new Combinations();

  BasisElimination(Basis basis, ResidentBlocks payloads) {
    this.basis = basis;
    this.payloads = payloads;
  }

  @Override
  public int blocks() {
    return payloads.rows();
  }

  @Override
  public int blockSize() {
    return payloads.columns();
  }

  @Override
  public boolean add(MemorySegment vector, MemorySegment payload) {
    CodingPreconditions.requirePayload(this, payload);
    MemoryPreconditions.requireAccessible(payload);
    int slot = basis.add(vector);
    if (slot == Basis.NOT_INNOVATIVE) {
      return false;
    }
    try {
      payloads.store(0, slot, payload);
    } catch (RuntimeException | Error e) {
      close(); // The vector counts already: solutions would be wrong.
      throw e;
    }
    return true;
  }

  @Override
  public boolean isInnovative(MemorySegment vector) {
    return basis.isInnovative(vector);
  }

  @Override
  public int rank() {
    return basis.rank();
  }

  @Override
  public boolean isSolved(int source) {
    return basis.isSolved(Objects.checkIndex(source, blocks()));
  }

  @Override
  public int solved() {
    return basis.solved();
  }

  @Override
  public void read(int first, ByteMatrices destination) {
    CodingPreconditions.requireSolved(this, first, destination);
    combinations.write(payloads, 0, basis::solution, first, destination);
  }

  @Override
  public void clear() {
    // Old payloads may stay: coefficients of empty slots are zero.
    basis.clear();
  }

  @Override
  public void close() {
    basis.close();
    payloads.close();
    combinations.close();
  }
}
