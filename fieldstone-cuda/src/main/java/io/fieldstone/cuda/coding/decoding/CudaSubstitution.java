package io.fieldstone.cuda.coding.decoding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.ProductKernels;
import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.execution.DeviceMatrices;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;

/**
 * A triangular system whose frames stay on the GPU. Each coded frame takes one upload together with
 * its vector, one kernel, one download and one wait, all in one stream.
 */
public final class CudaSubstitution implements Substitution {

  private final Gpu gpu;
  private final FrameKernel kernel;
  private final FieldTables field;
  private final int frames;
  private final int frameSize;
  private final long stride;
  private final DeviceBuffer buffer;
  private final ScratchLayout scratch = new ScratchLayout();
  private int solved;

  private CudaSubstitution(
      Gpu gpu,
      FrameKernel kernel,
      FieldTables field,
      int frames,
      int frameSize,
      DeviceBuffer buffer) {
    this.gpu = gpu;
    this.kernel = kernel;
    this.field = field;
    this.frames = frames;
    this.frameSize = frameSize;
    this.stride = DeviceMatrices.alignedStride(frameSize);
    this.buffer = buffer;
    scratch.pinned(receivedBytes(frames, frameSize));
  }

  /**
   * Creates an empty system of n frames of k bytes.
   *
   * @throws IllegalArgumentException if n or k is less than 1, or too large for the kernel
   * @throws OutOfMemoryError if device memory is insufficient
   */
  public static CudaSubstitution open(
      ProductKernels kernels, FrameKernel kernel, Gf256 field, int n, int k) {
    if (n < 1 || k < 1) {
      throw new IllegalArgumentException(n + " frames of " + k + " bytes: both must be at least 1");
    }
    long bytes = frameBytes(n, k) + receivedBytes(n, k) + kernel.scratchBytes(n, k);
    Gpu gpu = kernels.gpu();
    return gpu.call(
        () -> "begin to solve %d frames of %d bytes".formatted(n, k),
        () -> {
          FieldTables tables = kernels.tables(field);
          return new CudaSubstitution(gpu, kernel, tables, n, k, gpu.reserve(bytes));
        });
  }

  /** Returns the size of the solved frames, at the beginning of the buffer. */
  private static long frameBytes(int n, int k) {
    return n * DeviceMatrices.alignedStride(k);
  }

  /**
   * Returns the size of a coded frame and its vector, after the solved frames and before the
   * scratch memory.
   */
  private static long receivedBytes(int n, int k) {
    return DeviceMatrices.alignedStride(k) + DeviceMatrices.alignedStride(n);
  }

  @Override
  public int frames() {
    return frames;
  }

  @Override
  public int frameSize() {
    return frameSize;
  }

  @Override
  public int solved() {
    return solved;
  }

  @Override
  public synchronized void next(MemorySegment vector, MemorySegment payload, MemorySegment block) {
    requireFrame(vector, payload, block);
    gpu.run(
        () -> "solve frame %d of %d".formatted(solved, frames),
        () -> gpu.streams().useOne(scratch, slot -> solve(slot, vector, payload, block)));
    solved++;
  }

  private void requireFrame(MemorySegment vector, MemorySegment payload, MemorySegment block) {
    int s = solved;
    if (s == frames) {
      throw new IllegalStateException("all " + s + " frames are solved");
    }
    if (vector.byteSize() <= s || vector.byteSize() > frames) {
      throw new IllegalArgumentException(
          "a vector of %d coefficients, expected %d…%d"
              .formatted(vector.byteSize(), s + 1, frames));
    }
    requireFrameSize(payload);
    requireFrameSize(block);
    if (vector.get(JAVA_BYTE, s) == 0) {
      throw new IllegalArgumentException("coefficient " + s + " of frame " + s + " is zero");
    }
  }

  private void requireFrameSize(MemorySegment memory) {
    if (memory.byteSize() != frameSize) {
      throw new IllegalArgumentException(
          "%d bytes of memory, expected a frame of %d".formatted(memory.byteSize(), frameSize));
    }
  }

  private void solve(
      StreamSlot slot, MemorySegment vector, MemorySegment payload, MemorySegment block) {
    int coefficients = solved + 1;
    MemorySegment staging = slot.pinned(0, stride + coefficients);
    MemorySegment.copy(payload, 0, staging, 0, frameSize);
    MemorySegment.copy(vector, 0, staging, stride, coefficients);
    long received = buffer.address() + frameBytes(frames, frameSize);
    slot.stream().upload(staging, received);
    FrameKernel.Frame frame =
        new FrameKernel.Frame(
            solved,
            frameSize,
            received + stride,
            received,
            buffer.address(),
            stride,
            received + receivedBytes(frames, frameSize));
    kernel.solve(slot, field, frame);
    MemorySegment source = staging.asSlice(0, frameSize);
    slot.stream().download(frame.target(), source);
    slot.stream().synchronize();
    block.copyFrom(source);
  }

  @Override
  public synchronized void clear() {
    solved = 0;
  }

  @Override
  public synchronized void close() {
    buffer.close();
  }
}
