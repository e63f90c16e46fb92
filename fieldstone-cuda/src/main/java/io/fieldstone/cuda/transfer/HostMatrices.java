package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ParallelMemcpy;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.engine.coding.ByteMatrices;

/**
 * Matrices of a caller that cross the bus piece by piece. Those in pinned memory are copied by the
 * GPU from and to where they are; others go through pinned memory of the lane, which threads of the
 * host fill and empty.
 *
 * <p>The call of the port keeps their memory open, and waits for all copies before it returns.
 */
public final class HostMatrices {

  private final ByteMatrices matrices;
  private final boolean isPinned;
  private final ParallelMemcpy copies;
  private boolean isDirect;
  private long pinnedOffset;

  private HostMatrices(ByteMatrices matrices, boolean pinned, ParallelMemcpy copies) {
    this.matrices = matrices;
    this.isPinned = pinned;
    this.copies = copies;
  }

  /**
   * Matrices to be read.
   *
   * @throws IllegalStateException if the call does not keep their memory open
   */
  public static HostMatrices input(Gpu gpu, ByteMatrices matrices) {
    ByteMatrices unconfined = matrices.unconfined();
    return new HostMatrices(unconfined, gpu.context().isPinned(unconfined.data()), gpu.copies());
  }

  /**
   * Matrices to be written.
   *
   * @throws IllegalArgumentException if their memory is read-only
   * @throws IllegalStateException if the call does not keep it open
   */
  public static HostMatrices output(Gpu gpu, ByteMatrices matrices) {
    if (matrices.data().isReadOnly()) {
      throw new IllegalArgumentException("the memory of the results is read-only");
    }
    return input(gpu, matrices);
  }

  /** All of them, in memory that any thread may touch. */
  public ByteMatrices matrices() {
    return matrices;
  }

  /**
   * Decides how parts cross, and reserves the pinned memory of the lanes that they need.
   *
   * @param count matrices of the largest part, {@code rows} and {@code columns} of each
   */
  public void reserve(ScratchLayout scratch, long count, int rows, int columns) {
    isDirect = isPinned && DirectCopies.suit(matrices, count, rows, columns);
    if (!isDirect) {
      pinnedOffset = scratch.pinned(DeviceMatrices.alignedBytes(count, rows, columns));
    }
  }

  /** Where a part of them lies on the GPU: as one run of bytes if it is one here. */
  public DeviceMatrices deviceLayout(ByteMatrices part, long address) {
    boolean isRun =
        isDirect
            && part.stride() == part.columns()
            && (part.count() <= 1 || part.pitch() == (long) part.rows() * part.columns());
    return isRun
        ? DeviceMatrices.packed(address, part.count(), part.rows(), part.columns())
        : DeviceMatrices.aligned(address, part.count(), part.rows(), part.columns());
  }

  /** Sends a part to the GPU; the matrices it was taken from may change when the lane is done. */
  public void enqueueUpload(StreamSlot slot, ByteMatrices part, DeviceMatrices to) {
    if (to.isEmpty()) {
      return;
    }
    if (isDirect) {
      try (StreamTrace.Open _ = slot.phase("upload", bytes(part))) {
        DirectCopies.upload(slot.stream(), part, to);
      }
    } else {
      ByteMatrices staging = staging(slot, to, 0);
      copies.copy(part, staging);
      try (StreamTrace.Open _ = slot.phase("upload", bytes(part))) {
        slot.stream().upload(staging.data(), to.address());
      }
    }
  }

  /**
   * Asks for a part from the GPU; it is there after {@link #copyOut}.
   *
   * @param skipped bytes of the lane's pinned memory that other parts have
   */
  public void enqueueDownload(
      StreamSlot slot, DeviceMatrices from, ByteMatrices part, long skipped) {
    if (from.isEmpty()) {
      return;
    }
    try (StreamTrace.Open _ = slot.phase("download", bytes(part))) {
      if (isDirect) {
        DirectCopies.download(slot.stream(), from, part);
      } else {
        slot.stream().download(from.address(), staging(slot, from, skipped).data());
      }
    }
  }

  private static long bytes(ByteMatrices part) {
    return part.count() * part.rows() * part.columns();
  }

  /** Brings a part home from where {@link #enqueueDownload} left it, after the lane is done. */
  public void copyOut(StreamSlot slot, DeviceMatrices from, ByteMatrices part, long skipped) {
    if (!from.isEmpty() && !isDirect) {
      copies.copy(staging(slot, from, skipped), part);
    }
  }

  /** The lane's pinned memory as matrices that lie as those on the GPU do. */
  private ByteMatrices staging(StreamSlot slot, DeviceMatrices like, long skipped) {
    long bytes = like.count() * like.pitch();
    return new ByteMatrices(
        slot.pinned(pinnedOffset + skipped, bytes),
        like.count(),
        like.rows(),
        like.columns(),
        like.stride(),
        like.pitch());
  }
}
