package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Adds coded blocks, one per launch, to systems in reduced row echelon form on the GPU: {@code
 * progressive.cu}. It only enqueues work in a slot's stream. Thread-safe.
 */
public final class ProgressiveKernel {

  /** The maximum number n of source blocks. */
  public static final int MAX_BLOCKS = 8192;

  private static final int THREADS = 512;
  private static final int VECTOR = 16;

  /**
   * The minimum slice in vectors. Narrower slices would make more thread blocks read the vector
   * over the bus (measured on an H200).
   */
  private static final int MIN_VECTORS = 16;

  private static final int MAX_VECTORS = 32;

  /** The maximum number of thread blocks per multiprocessor; more only repeat the prologue. */
  private static final int WAVES = 2;

  private final Function add;
  private final int maxBlocks;

  public ProgressiveKernel(KernelModules modules, int multiprocessors) {
    this.add = modules.function("progressive", "progressive_add");
    this.maxBlocks = WAVES * multiprocessors;
  }

  /**
   * The partition of a system of n blocks of k bytes into thread blocks, and the layout of its
   * memory.
   *
   * @param vectors the 16-byte columns of a thread block, including the one that it searches for a
   *     pivot
   * @param coefficientSlices the thread blocks that own coefficients
   * @param payloadBlocks the thread blocks that divide the payloads
   */
  record Plan(int n, int k, int vectors, int coefficientSlices, int payloadBlocks) {

    /** Returns the offset of the payload rows, after two copies of the coefficients. */
    long payloads() {
      return 2 * n * DeviceMatrices.alignedStride(n);
    }

    /** Returns the offset of pivots and scratch memory. */
    long state() {
      return payloads() + n * DeviceMatrices.alignedStride(k);
    }

    /** Returns the bytes of the state that must be zero initially. */
    long zeroedBytes() {
      return (2L * words() + 1) * Integer.BYTES;
    }

    long bytes() {
      return state() + zeroedBytes() + (long) words() * coefficientSlices * Integer.BYTES;
    }

    /** Returns the words of a bitmap of the source blocks. */
    int words() {
      return Math.ceilDiv(n, Integer.SIZE);
    }

    private int sharedBytes() {
      return Math.toIntExact(2 * DeviceMatrices.alignedStride(n)) + words() * Integer.BYTES;
    }
  }

  /**
   * Plans a system with narrow slices, which finish first, as long as all of them run concurrently.
   *
   * @param n 1 … {@link #MAX_BLOCKS}
   * @param k at least 1
   */
  Plan plan(int n, int k) {
    int vectors = MIN_VECTORS;
    while (vectors < MAX_VECTORS && slices(n, vectors) + slices(k, vectors) > maxBlocks) {
      vectors *= 2;
    }
    return new Plan(n, k, vectors, slices(n, vectors), Math.min(slices(k, vectors), maxBlocks));
  }

  private static int slices(int columns, int vectors) {
    return Math.ceilDiv(Math.ceilDiv(columns, VECTOR), vectors - 1);
  }

  /**
   * A coded block and the addresses of its operands.
   *
   * @param memory the device address of {@link Plan#bytes}
   * @param index the number of blocks that were added before
   * @param vector the address of n coefficients, on the device or in pinned memory
   * @param payload the address of k bytes, on the device or in pinned memory
   * @param status the address of a {@link ProgressiveStatus}, on the device or in pinned memory
   * @param hint the column to try first as the pivot
   */
  record CodedBlock(long memory, long index, long vector, long payload, long status, int hint) {}

  /** Enqueues the addition of a block. */
  void add(StreamSlot slot, FieldTables field, Plan plan, CodedBlock block) {
    launch(slot, field, plan, block, plan.k(), plan.payloadBlocks());
  }

  /**
   * Enqueues a computation of the status that a block would have if it were added. Without payloads
   * the kernel writes only the copy of the coefficients that the next block overwrites.
   */
  void probe(StreamSlot slot, FieldTables field, Plan plan, CodedBlock block) {
    launch(slot, field, plan, block, 0, 0);
  }

  private void launch(
      StreamSlot slot, FieldTables field, Plan plan, CodedBlock block, int k, int payloadBlocks) {
    slot.arguments()
        .int64(field.address())
        .int32(field.polynomial())
        .int32(plan.n())
        .int64(k)
        .int64(block.index())
        .int64(block.vector())
        .int64(block.payload())
        .int64(block.memory())
        .int64(block.memory() + plan.payloads())
        .int64(block.memory() + plan.state())
        .int64(block.status())
        .int32(block.hint())
        .int32(plan.vectors())
        .int32(plan.coefficientSlices())
        .int32(0);
    int blocks = plan.coefficientSlices() + payloadBlocks;
    slot.launch(add, new LaunchShape(blocks, 1, 1, THREADS, plan.sharedBytes()));
  }
}
