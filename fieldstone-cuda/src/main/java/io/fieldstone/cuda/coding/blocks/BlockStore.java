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
 * The memory of resident blocks. They are in the layout of their product kernel, or row-major if
 * products were stored first, because kernels write rows. Row-major blocks are converted at their
 * first use as sources. Thread-safe; each operation must enter and leave the store.
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
   * @param buffer {@code count} times {@link #pitch} zero bytes
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

  /** Returns the bytes per matrix, sufficient for both layouts. */
  public static long pitch(CudaProductKernel kernel, int rows, int columns) {
    return Math.max(
        DeviceMatrices.alignedBytes(1, rows, columns), kernel.layoutBytes(rows, columns));
  }

  CudaProductKernel kernel() {
    return kernel;
  }

  /** Returns the shape of the blocks; their rows, while they are row-major. */
  DeviceMatrices rows() {
    return rows;
  }

  /** Enters to multiply the blocks, which stay in the kernel's layout until {@link #leave}. */
  void enterAsSource() {
    usage.enter();
    while (!isLaidOut()) {
      usage.leave();
      usage.runExclusively(this::layOutAll);
      usage.enter();
    }
  }

  /** Enters to write or read blocks in either layout. */
  void enterToTransfer() {
    usage.enter();
  }

  /** Leaves the store. */
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
      gpu.jobs().run(new LayOutJob(kernel, rows));
    } catch (StreamFailure e) {
      // Only a part is converted, so the blocks must not be used any more.
      usage.close("the resident blocks were lost: " + e.getMessage());
      throw e;
    }
  }

  /**
   * Returns a sink for the products of a job. The caller must have entered.
   *
   * @param first the index of the job's matrix 0 in the store
   * @param firstRow the index of the job's row 0 in a matrix
   * @param isInPlace whether a kernel may write products directly to the store
   */
  ProductSink sink(long first, int firstRow, boolean isInPlace) {
    markWritten();
    return isRowMajor()
        ? new RowProductSink(rows, first, firstRow, isInPlace)
        : new KernelLayoutSink(kernel, layout, first, firstRow);
  }

  /**
   * Returns the blocks from matrix {@code first} on as sources. The caller must have called {@link
   * #enterAsSource}.
   */
  SourceBlocks sources(long first) {
    return new ResidentSourceBlocks(kernel, layout, first);
  }

  /**
   * Enqueues a copy of blocks to row-major matrices. The caller must have entered.
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

  /** Waits for all operations and frees the memory. Idempotent. */
  void close() {
    usage.close("the resident blocks are closed");
    usage.awaitUnused();
    buffer.close();
  }
}
