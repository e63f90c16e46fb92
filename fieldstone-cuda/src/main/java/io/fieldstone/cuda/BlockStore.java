package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.DeviceBuffer;

/**
 * The memory of resident blocks. They lie in it as the kernel that multiplies them wants them, or
 * as plain rows if products came first, because that is how a kernel writes them; then they are
 * laid out when they are first multiplied. Thread-safe; whoever works on it is inside.
 */
final class BlockStore {

  private final ProductKernel kernel;
  private final Gpu gpu;
  private final DeviceBuffer buffer;
  private final DeviceMatrices rows;
  private final LaidOut laidOut;
  private final Occupancy occupancy = new Occupancy();

  /** Guarded by this. */
  private boolean isLaidOut;

  /** Guarded by this. */
  private boolean isUntouched = true;

  /**
   * @param buffer zeros, {@code count} times {@link #pitch} of them
   */
  BlockStore(
      Gpu gpu, ProductKernel kernel, DeviceBuffer buffer, long count, int rows, int columns) {
    this.kernel = kernel;
    this.gpu = gpu;
    this.buffer = buffer;
    long pitch = pitch(kernel, rows, columns);
    long stride = DeviceMatrices.alignedStride(columns);
    this.rows = new DeviceMatrices(buffer.address(), count, rows, columns, stride, pitch);
    this.isLaidOut = kernel.isRowMajor();
    this.laidOut = kernel.layout(buffer.address(), count, pitch, rows, columns);
  }

  /** Bytes for each matrix: enough for either way to lie. */
  static long pitch(ProductKernel kernel, int rows, int columns) {
    return Math.max(
        DeviceMatrices.alignedBytes(1, rows, columns), kernel.layoutBytes(rows, columns));
  }

  ProductKernel kernel() {
    return kernel;
  }

  /** Their shape; where they lie only if they are not laid out. */
  DeviceMatrices rows() {
    return rows;
  }

  /** Enters to multiply the blocks; they are laid out until {@link #leave}. */
  void enterAsSource() {
    occupancy.enter();
    while (!isLaidOut()) {
      occupancy.leave();
      occupancy.runAlone(this::layOutAll);
      occupancy.enter();
    }
  }

  /** Enters to write or read blocks as they lie. */
  void enter() {
    occupancy.enter();
  }

  /** Leaves. */
  void leave() {
    occupancy.leave();
  }

  private synchronized boolean isLaidOut() {
    return isLaidOut;
  }

  private synchronized boolean isPlain() {
    return !isLaidOut || kernel.isRowMajor();
  }

  private synchronized void touch() {
    isUntouched = false;
  }

  private synchronized void layOutAll() {
    if (isLaidOut) {
      return;
    }
    if (isUntouched) {
      gpu.lanes()
          .useOne(lane -> {
            kernel.clear(lane, laidOut);
            lane.stream().synchronize();
          });
    } else {
      layOutRows();
    }
    isLaidOut = true;
  }

  private void layOutRows() {
    try {
      gpu.run(new LayOutJob(kernel, rows));
    } catch (LaneFailure e) {
      // Some are laid out and some are not: nobody must take the ones for the others.
      occupancy.shut("the resident blocks were lost: " + e.getMessage());
      throw e;
    }
  }

  /**
   * Where the products of a job go; for who is inside.
   *
   * @param first the matrix that the job's matrix 0 is
   * @param firstRow the row that the job's row 0 is
   * @param inPlace whether a kernel may write them where they belong
   */
  Destination destination(long first, int firstRow, boolean inPlace) {
    touch();
    return isPlain()
        ? new PlainDestination(rows, first, firstRow, inPlace)
        : new LaidOutDestination(kernel, laidOut, first, firstRow);
  }

  /** The blocks from matrix {@code first} on as sources; for who entered as such. */
  Sources sources(long first) {
    return new ResidentSources(kernel, laidOut, first);
  }

  /**
   * Copies blocks to plain rows; for who is inside.
   *
   * @param piece what of the store
   */
  void read(Lane lane, Piece piece, DeviceMatrices to) {
    if (isPlain()) {
      DeviceCopies.copy(lane.stream(), piece.of(rows), to);
    } else {
      kernel.read(lane, piece.of(kernel, laidOut), piece.firstRow(), to);
    }
  }

  /** Frees the memory when nobody is inside any more. Idempotent. */
  void close() {
    occupancy.shut("the resident blocks are closed");
    occupancy.awaitEmpty();
    buffer.close();
  }
}
