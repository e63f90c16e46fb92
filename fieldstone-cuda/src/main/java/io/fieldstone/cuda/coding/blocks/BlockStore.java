package io.fieldstone.cuda.coding.blocks;

import io.fieldstone.cuda.coding.BatchSlice;
import io.fieldstone.cuda.coding.CudaProductKernel;
import io.fieldstone.cuda.coding.KernelLayout;
import io.fieldstone.cuda.coding.ProductSink;
import io.fieldstone.cuda.coding.SourceBlocks;
import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.StreamFailure;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.UsageGuard;
import io.fieldstone.cuda.transfer.DeviceCopies;

/**
 * The memory of resident blocks. They lie in it as the kernel that multiplies them wants them, or
 * as plain rows if products came first, because that is how a kernel writes them; then they are
 * laid out when they are first multiplied. Thread-safe; whoever works on it is inside.
 */
public final class BlockStore {

  private final CudaProductKernel kernel;
  private final Gpu gpu;
  private final DeviceBuffer buffer;
  private final DeviceMatrices rows;
  private final KernelLayout layout;
  private final UsageGuard usage = new UsageGuard();

  /** Guarded by this. */
  private boolean isLaidOut;

  /** Guarded by this. */
  private boolean isZero = true;

  /**
   * @param buffer zeros, {@code count} times {@link #pitch} of them
   */
  public BlockStore(
      Gpu gpu, CudaProductKernel kernel, DeviceBuffer buffer, long count, int rows, int columns) {
    this.kernel = kernel;
    this.gpu = gpu;
    this.buffer = buffer;
    long pitch = pitch(kernel, rows, columns);
    long stride = DeviceMatrices.alignedStride(columns);
    this.rows = new DeviceMatrices(buffer.address(), count, rows, columns, stride, pitch);
    this.isLaidOut = kernel.isRowMajor();
    this.layout = kernel.layout(buffer.address(), count, pitch, rows, columns);
  }

  /** Bytes for each matrix: enough for either way to lie. */
  public static long pitch(CudaProductKernel kernel, int rows, int columns) {
    return Math.max(
        DeviceMatrices.alignedBytes(1, rows, columns), kernel.layoutBytes(rows, columns));
  }

  CudaProductKernel kernel() {
    return kernel;
  }

  /** Their shape; where they lie only if they are not laid out. */
  DeviceMatrices rows() {
    return rows;
  }

  /** Enters to multiply the blocks; they are laid out until {@link #leave}. */
  void enterAsSource() {
    usage.enter();
    while (!isLaidOut()) {
      usage.leave();
      usage.runExclusively(this::layOutAll);
      usage.enter();
    }
  }

  /** Enters to write or read blocks as they lie. */
  void enterToTransfer() {
    usage.enter();
  }

  /** Leaves. */
  void leave() {
    usage.leave();
  }

  private synchronized boolean isLaidOut() {
    return isLaidOut;
  }

  private synchronized boolean isRowMajor() {
    return !isLaidOut || kernel.isRowMajor();
  }

  private synchronized void markWritten() {
    isZero = false;
  }

  private synchronized void layOutAll() {
    if (isLaidOut) {
      return;
    }
    if (isZero) {
      gpu.streams()
          .useOne(slot -> {
            kernel.clear(slot, layout);
            slot.stream().synchronize();
          });
    } else {
      layOutRows();
    }
    isLaidOut = true;
  }

  private void layOutRows() {
    try {
      gpu.run(new LayOutJob(kernel, rows));
    } catch (StreamFailure e) {
      // Some are laid out and some are not: nobody must take the ones for the others.
      usage.close("the resident blocks were lost: " + e.getMessage());
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
  ProductSink sink(long first, int firstRow, boolean inPlace) {
    markWritten();
    return isRowMajor()
        ? new RowProductSink(rows, first, firstRow, inPlace)
        : new KernelLayoutSink(kernel, layout, first, firstRow);
  }

  /** The blocks from matrix {@code first} on as sources; for who entered as such. */
  SourceBlocks sources(long first) {
    return new ResidentSourceBlocks(kernel, layout, first);
  }

  /**
   * Copies blocks to plain rows; for who is inside.
   *
   * @param slice a slice of the stored blocks
   */
  void enqueueRead(StreamSlot slot, BatchSlice slice, DeviceMatrices target) {
    if (isRowMajor()) {
      DeviceCopies.copy(slot.stream(), slice.of(rows), target);
    } else {
      kernel.read(slot, slice.of(kernel, layout), slice.firstRow(), target);
    }
  }

  /** Frees the memory when nobody is inside any more. Idempotent. */
  void close() {
    usage.close("the resident blocks are closed");
    usage.awaitUnused();
    buffer.close();
  }
}
