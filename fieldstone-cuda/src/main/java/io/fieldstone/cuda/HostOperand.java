package io.fieldstone.cuda;

import io.fieldstone.engine.ByteMatrices;

/**
 * Matrices of a caller that cross the bus piece by piece. Those in pinned memory are copied by the
 * GPU from and to where they are; others go through pinned memory of the lane, which threads of the
 * host fill and empty.
 *
 * <p>The call of the port keeps their memory open, and waits for all copies before it returns.
 */
final class HostOperand {

  private final ByteMatrices matrices;
  private final boolean pinned;
  private final HostCopies copies;
  private boolean direct;
  private long pinnedOffset;

  private HostOperand(ByteMatrices matrices, boolean pinned, HostCopies copies) {
    this.matrices = matrices;
    this.pinned = pinned;
    this.copies = copies;
  }

  /**
   * Matrices to be read.
   *
   * @throws IllegalStateException if the call does not keep their memory open
   */
  static HostOperand input(Gpu gpu, ByteMatrices matrices) {
    ByteMatrices unconfined = matrices.unconfined();
    return new HostOperand(
        unconfined, gpu.context().isPinned(unconfined.data()), gpu.copies());
  }

  /**
   * Matrices to be written.
   *
   * @throws IllegalArgumentException if their memory is read-only
   * @throws IllegalStateException if the call does not keep it open
   */
  static HostOperand output(Gpu gpu, ByteMatrices matrices) {
    if (matrices.data().isReadOnly()) {
      throw new IllegalArgumentException("the memory of the results is read-only");
    }
    return input(gpu, matrices);
  }

  /** All of them, in memory that any thread may touch. */
  ByteMatrices matrices() {
    return matrices;
  }

  /**
   * Decides how parts cross, and reserves the pinned memory of the lanes that they need.
   *
   * @param count matrices of the largest part, {@code rows} and {@code columns} of each
   */
  void reserve(Workspace workspace, long count, int rows, int columns) {
    direct = pinned && DirectCopies.suit(matrices, count, rows, columns);
    if (!direct) {
      pinnedOffset = workspace.pinned(DeviceMatrices.alignedBytes(count, rows, columns));
    }
  }

  /** Where a part of them lies on the GPU: as one run of bytes if it is one here. */
  DeviceMatrices landing(ByteMatrices part, long address) {
    boolean isRun =
        direct
            && part.stride() == part.columns()
            && (part.count() <= 1 || part.pitch() == (long) part.rows() * part.columns());
    return isRun
        ? DeviceMatrices.packed(address, part.count(), part.rows(), part.columns())
        : DeviceMatrices.aligned(address, part.count(), part.rows(), part.columns());
  }

  /** Sends a part to the GPU; the matrices it was taken from may change when the lane is done. */
  void upload(Lane lane, ByteMatrices part, DeviceMatrices to) {
    if (to.isEmpty()) {
      return;
    }
    if (direct) {
      try (LanePhases.Open _ = lane.phase("upload", bytes(part))) {
        DirectCopies.upload(lane.stream(), part, to);
      }
    } else {
      ByteMatrices between = between(lane, to, 0);
      copies.copy(part, between);
      try (LanePhases.Open _ = lane.phase("upload", bytes(part))) {
        lane.stream().upload(between.data(), to.address());
      }
    }
  }

  /**
   * Asks for a part from the GPU; it is there after {@link #bringHome}.
   *
   * @param skipped bytes of the lane's pinned memory that other parts have
   */
  void download(Lane lane, DeviceMatrices from, ByteMatrices part, long skipped) {
    if (from.isEmpty()) {
      return;
    }
    try (LanePhases.Open _ = lane.phase("download", bytes(part))) {
      if (direct) {
        DirectCopies.download(lane.stream(), from, part);
      } else {
        lane.stream().download(from.address(), between(lane, from, skipped).data());
      }
    }
  }

  private static long bytes(ByteMatrices part) {
    return part.count() * part.rows() * part.columns();
  }

  /** Brings a part home from where {@link #download} left it, after the lane is done. */
  void bringHome(Lane lane, DeviceMatrices from, ByteMatrices part, long skipped) {
    if (!from.isEmpty() && !direct) {
      copies.copy(between(lane, from, skipped), part);
    }
  }

  /** The lane's pinned memory as matrices that lie as those on the GPU do. */
  private ByteMatrices between(Lane lane, DeviceMatrices like, long skipped) {
    long bytes = like.count() * like.pitch();
    return new ByteMatrices(
        lane.pinned(pinnedOffset + skipped, bytes),
        like.count(),
        like.rows(),
        like.columns(),
        like.stride(),
        like.pitch());
  }
}
