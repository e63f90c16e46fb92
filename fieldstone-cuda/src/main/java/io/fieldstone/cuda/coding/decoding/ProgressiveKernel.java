package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Adds coded blocks, one a launch, to systems in reduced row echelon form on the GPU: {@code
 * progressive.cu}. It only asks for work in a lane's stream. Thread-safe.
 */
public final class ProgressiveKernel {

  /** Source blocks n of the largest system. */
  public static final int MAX_BLOCKS = 8192;

  private static final int THREADS = 512;
  private static final int VECTOR = 16;

  /** Narrower slices would have more blocks fetch the vector over the bus: measured on an H200. */
  private static final int MIN_VECTORS = 16;

  private static final int MAX_VECTORS = 32;

  /** Blocks of threads for each multiprocessor, beyond which more only prepare more. */
  private static final int WAVES = 2;

  private final Function add;
  private final int maxBlocks;

  public ProgressiveKernel(KernelModules modules, int multiprocessors) {
    this.add = modules.function("progressive", "progressive_add");
    this.maxBlocks = WAVES * multiprocessors;
  }

  /**
   * How blocks of threads share a system of n blocks of k bytes, and where its parts are in the one
   * piece of memory that it takes.
   *
   * @param vectors 16-byte columns of a block of threads, with the one that it searches for a pivot
   * @param coefficientSlices blocks of threads that own coefficients
   * @param payloadBlocks blocks of threads that share the payloads
   */
  record Plan(int n, int k, int vectors, int coefficientSlices, int payloadBlocks) {

    /** Where the rows of payloads begin, behind two copies of the coefficients. */
    long payloads() {
      return 2 * n * DeviceMatrices.alignedStride(n);
    }

    /** Where pivots and scratch begin. */
    long state() {
      return payloads() + n * DeviceMatrices.alignedStride(k);
    }

    /** The part of the state that is zero before the first block arrives. */
    long zeroedBytes() {
      return (2L * words() + 1) * Integer.BYTES;
    }

    long bytes() {
      return state() + zeroedBytes() + (long) words() * coefficientSlices * Integer.BYTES;
    }

    /** Words of a bitmap of the source blocks. */
    int words() {
      return Math.ceilDiv(n, Integer.SIZE);
    }

    private int sharedBytes() {
      return Math.toIntExact(2 * DeviceMatrices.alignedStride(n)) + words() * Integer.BYTES;
    }
  }

  /**
   * Plans a system: narrow slices, which end soonest, as long as all of them run at once.
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
   * An arriving block, and where things are.
   *
   * @param memory address of {@link Plan#bytes} on the GPU
   * @param index how many blocks were added before
   * @param vector address of n coefficients, also in pinned host memory
   * @param payload address of k bytes, also in pinned host memory
   * @param status address of a {@link ProgressiveStatus}, also in pinned host memory
   * @param hint the column where to look for a pivot first
   */
  record CodedBlock(long memory, long index, long vector, long payload, long status, int hint) {}

  /** Asks for a block to be added. */
  void add(StreamSlot slot, FieldTables field, Plan plan, CodedBlock arrival) {
    launch(slot, field, plan, arrival, plan.k(), plan.payloadBlocks());
  }

  /**
   * Asks for the status that a block would have if it were added. Without payloads, all that is
   * written is what the next block overwrites: the copy of the coefficients that it does not read.
   */
  void probe(StreamSlot slot, FieldTables field, Plan plan, CodedBlock arrival) {
    launch(slot, field, plan, arrival, 0, 0);
  }

  private void launch(
      StreamSlot slot, FieldTables field, Plan plan, CodedBlock arrival, int k, int payloadBlocks) {
    slot.arguments()
        .int64(field.address())
        .int32(field.polynomial())
        .int32(plan.n())
        .int64(k)
        .int64(arrival.index())
        .int64(arrival.vector())
        .int64(arrival.payload())
        .int64(arrival.memory())
        .int64(arrival.memory() + plan.payloads())
        .int64(arrival.memory() + plan.state())
        .int64(arrival.status())
        .int32(arrival.hint())
        .int32(plan.vectors())
        .int32(plan.coefficientSlices())
        .int32(0);
    int blocks = plan.coefficientSlices() + payloadBlocks;
    slot.launch(add, new LaunchShape(blocks, 1, 1, THREADS, plan.sharedBytes()));
  }
}
