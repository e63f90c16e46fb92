package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Solves one frame of a triangular system after the earlier frames. It only enqueues work in a
 * slot's stream. Thread-safe.
 */
public interface FrameKernel {

  /** Returns the scratch memory for systems of n frames of k bytes, aligned to 4 bytes. */
  long scratchBytes(int n, int k);

  /** Enqueues the solution of a frame. */
  void solve(StreamSlot slot, FieldTables field, Frame frame);

  /**
   * A frame and the device addresses of its operands.
   *
   * @param s the number of solved frames
   * @param k the bytes of a frame
   * @param coefficients e_0 … e_s, e_s ≠ 0
   * @param received c_s
   * @param solved p_0, on a 16-byte boundary; row s receives p_s
   * @param stride the distance of solved frames in bytes, a multiple of 16
   * @param scratch the address of {@link #scratchBytes}
   */
  record Frame(
      int s, int k, long coefficients, long received, long solved, long stride, long scratch) {

    /** Returns the address of p_s. */
    long target() {
      return solved + s * stride;
    }

    /**
     * Writes {@code struct SubstitutionFrameArguments}.
     *
     * @param vectors the 16-byte columns of a thread block, if the kernel takes any
     */
    public void write(StreamSlot slot, FieldTables field, int vectors) {
      slot.arguments()
          .int64(field.address())
          .int32(field.polynomial())
          .int32(s)
          .int64(k)
          .int64(coefficients)
          .int64(received)
          .int64(solved)
          .int64(stride)
          .int64(scratch)
          .int32(vectors)
          .int32(0);
    }
  }

  /** Divides rows and columns in one launch; a thread processes 16 bytes of several rows. */
  record BySlices(Function kernel) implements FrameKernel {

    private static final int THREADS = 256;

    /** The 16-byte columns of a thread block, the fastest number on an H200. */
    private static final int VECTORS = 4;

    private static final int VECTOR = 16;

    static BySlices find(KernelModules modules) {
      return new BySlices(modules.function("substitution", "substitution_frame"));
    }

    @Override
    public long scratchBytes(int n, int k) {
      return 0;
    }

    @Override
    public void solve(StreamSlot slot, FieldTables field, Frame frame) {
      frame.write(slot, field, VECTORS);
      int blocks = Math.ceilDiv(Math.ceilDiv(frame.k(), VECTOR), VECTORS);
      slot.launch(kernel, LaunchShape.of(blocks, THREADS));
    }
  }
}
