package io.fieldstone.cuda.execution;

/**
 * Assigns the operands of a job to scratch memory: offsets into the device memory and the pinned
 * memory of a slot. It is the same for all slots of a job.
 */
public final class ScratchLayout {

  /** The alignment of operands: a memory transaction, and the requirement of TMA and wgmma. */
  private static final long ALIGNMENT = 1024;

  private long deviceBytes;
  private long pinnedBytes;

  /** Reserves device memory and returns its offset. */
  public long device(long bytes) {
    long offset = deviceBytes;
    deviceBytes = Math.addExact(offset, aligned(bytes));
    return offset;
  }

  /** Reserves pinned host memory and returns its offset. */
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

  /** Returns whether the host fills or empties pinned memory of the slots. */
  boolean usesHost() {
    return pinnedBytes > 0;
  }
}
