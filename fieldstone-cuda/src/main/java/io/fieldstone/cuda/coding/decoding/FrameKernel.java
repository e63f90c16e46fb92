package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Solves one frame of a triangular system after the earlier frames: kernels 1 to 3 of {@code
 * substitution.cu}. It only enqueues work in a slot's stream. Thread-safe.
 */
sealed interface FrameKernel {

  /** The source file. */
  String FILE = "substitution";

  /** The bytes of a product per thread in HPDS and its baseline: the papers' T. */
  int WORD = 4;

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

    private void write(StreamSlot slot, FieldTables field, int vectors) {
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

  /** HPDS's baseline: a thread accumulates four bytes over all earlier frames. */
  record ByColumns(Function kernel) implements FrameKernel {

    private static final int THREADS = 128;

    static ByColumns find(KernelModules modules) {
      return new ByColumns(modules.function(FILE, "substitution_baseline_frame"));
    }

    @Override
    public long scratchBytes(int n, int k) {
      return 0;
    }

    @Override
    public void solve(StreamSlot slot, FieldTables field, Frame frame) {
      frame.write(slot, field, 0);
      int blocks = Math.ceilDiv(Math.ceilDiv(frame.k(), WORD), THREADS);
      slot.launch(kernel, LaunchShape.of(blocks, THREADS));
    }
  }

  /**
   * HPDS: a thread computes four bytes of one product, and a tree reduction sums the products.
   *
   * @param products computes products and sums 32 of them
   * @param sums adds these sums to the frame
   */
  record ByRowsAndColumns(Function products, Function sums) implements FrameKernel {

    /** The rows, and the words per row, of a thread block. */
    private static final int TILE = 32;

    /** A thread block for each tile of earlier frames; a grid has at most 65,535 along y. */
    private static final int MAX_FRAMES = TILE * 65_535;

    static ByRowsAndColumns find(KernelModules modules) {
      return new ByRowsAndColumns(
          modules.function(FILE, "substitution_hpds_frame"),
          modules.function(FILE, "substitution_hpds_reduce"));
    }

    @Override
    public long scratchBytes(int n, int k) {
      if (n > MAX_FRAMES) {
        throw new IllegalArgumentException(
            "%d frames, HPDS's kernels solve at most %d".formatted(n, MAX_FRAMES));
      }
      return (long) Math.ceilDiv(n, TILE) * WORD * Math.ceilDiv(k, WORD);
    }

    @Override
    public void solve(StreamSlot slot, FieldTables field, Frame frame) {
      frame.write(slot, field, 0);
      int gridX = Math.ceilDiv(frame.k(), TILE * WORD);
      if (frame.s() > 0) {
        int gridY = Math.ceilDiv(frame.s(), TILE);
        slot.launch(products, new LaunchShape(gridX, gridY, 1, TILE, TILE, 0));
      }
      slot.launch(sums, new LaunchShape(gridX, 1, 1, TILE, TILE, 0));
    }
  }

  /** Divides rows and columns in one launch; a thread processes 16 bytes of several rows. */
  record BySlices(Function kernel) implements FrameKernel {

    private static final int THREADS = 256;

    /** The 16-byte columns of a thread block, the fastest number on an H200. */
    private static final int VECTORS = 4;

    private static final int VECTOR = 16;

    static BySlices find(KernelModules modules) {
      return new BySlices(modules.function(FILE, "substitution_frame"));
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
