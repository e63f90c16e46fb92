package io.fieldstone.cuda.execution;

/**
 * Where the operands of a job lie in each of its lanes: offsets into a lane's device memory and
 * into its pinned memory. Made once a job, the same for all its lanes.
 */
public final class ScratchLayout {

  /** What every operand starts at: a memory transaction, and what TMA and wgmma ask for. */
  private static final long ALIGNMENT = 1024;

  private long deviceBytes;
  private long pinnedBytes;

  /** Reserves device memory; returns its offset. */
  public long device(long bytes) {
    long offset = deviceBytes;
    deviceBytes = Math.addExact(offset, aligned(bytes));
    return offset;
  }

  /** Reserves pinned host memory; returns its offset. */
  public long pinned(long bytes) {
    long offset = pinnedBytes;
    pinnedBytes = Math.addExact(offset, aligned(bytes));
    return offset;
  }

  private static long aligned(long bytes) {
    return Math.addExact(bytes, ALIGNMENT - 1) & -ALIGNMENT;
  }

  public long deviceBytes() {
    return deviceBytes;
  }

  long pinnedBytes() {
    return pinnedBytes;
  }

  /** Whether anything passes through the host, which then fills or empties a lane's memory. */
  boolean usesHost() {
    return pinnedBytes > 0;
  }
}
