package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ParallelMemcpy;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.engine.coding.ByteMatrices;

/**
 * Matrices of a caller that are transferred in pieces. Those in pinned memory are copied by the GPU
 * directly; others pass through pinned staging memory of the slot, which host threads fill and
 * empty.
 *
 * <p>The call must hold their memory open and wait for all copies before it returns.
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
   * Wraps input matrices.
   *
   * @throws IllegalStateException if the call does not hold their memory open
   */
  public static HostMatrices input(Gpu gpu, ByteMatrices matrices) {
    ByteMatrices unconfined = matrices.unconfined();
    return new HostMatrices(unconfined, gpu.context().isPinned(unconfined.data()), gpu.copies());
  }

  /**
   * Wraps output matrices.
   *
   * @throws IllegalArgumentException if their memory is read-only
   * @throws IllegalStateException if the call does not hold it open
   */
  public static HostMatrices output(Gpu gpu, ByteMatrices matrices) {
    if (matrices.data().isReadOnly()) {
      throw new IllegalArgumentException("the memory of the results is read-only");
    }
    return input(gpu, matrices);
  }

  /** Returns the matrices, accessible by all threads. */
  public ByteMatrices matrices() {
    return matrices;
  }

  /**
   * Chooses direct or staged transfers and reserves the staging memory.
   *
   * @param count the matrices of the largest part, of {@code rows}×{@code columns} each
   */
  public void reserve(ScratchLayout scratch, long count, int rows, int columns) {
    isDirect = isPinned && DirectCopies.suit(matrices, count, rows, columns);
    if (!isDirect) {
      pinnedOffset = scratch.pinned(DeviceMatrices.alignedBytes(count, rows, columns));
    }
  }

  /**
   * Returns the layout of a part on the GPU: contiguous if it is contiguous on the host, else
   * aligned.
   */
  public DeviceMatrices deviceLayout(ByteMatrices part, long address) {
    boolean isContiguous =
        isDirect
            && part.stride() == part.columns()
            && (part.count() <= 1 || part.pitch() == (long) part.rows() * part.columns());
    return isContiguous
        ? DeviceMatrices.packed(address, part.count(), part.rows(), part.columns())
        : DeviceMatrices.aligned(address, part.count(), part.rows(), part.columns());
  }

  /**
   * Enqueues the upload of a part, whose memory must not change until the slot's work has
   * completed.
   */
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
   * Enqueues the download of a part, to be completed by {@link #copyOut}.
   *
   * @param skipped the bytes of staging memory before this part
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

  /** Copies a downloaded part out of staging memory, after the slot's work has completed. */
  public void copyOut(StreamSlot slot, DeviceMatrices from, ByteMatrices part, long skipped) {
    if (!from.isEmpty() && !isDirect) {
      copies.copy(staging(slot, from, skipped), part);
    }
  }

  /** Returns staging memory as matrices with the layout of the device matrices. */
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
