package io.fieldstone.cuda.coding.decoding;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/**
 * Solves one frame of a triangular system whose earlier frames are solved: 1 to 3 of {@code
 * substitution.cu}. It only asks for work in a lane's stream. Thread-safe.
 */
sealed interface FrameKernel {

  /** The source file. */
  String FILE = "substitution";

  /** Bytes of a product that a thread makes in HPDS and its baseline: the papers' T. */
  int WORD = 4;

  /** Scratch memory, aligned to 4 bytes, that systems of n frames of k bytes take. */
  long scratchBytes(int n, int k);

  /** Asks for a frame. */
  void solve(StreamSlot slot, FieldTables field, Frame frame);

  /**
   * A frame and where things are on the GPU.
   *
   * @param s how many frames are solved
   * @param k bytes of a frame
   * @param coefficients e_0 … e_s, e_s ≠ 0
   * @param received c_s
   * @param solved p_0, on a 16 byte boundary; p_s goes into row s
   * @param stride bytes from a solved frame to the next, a multiple of 16
   * @param scratch address of {@link #scratchBytes}
   */
  record Frame(
      int s, int k, long coefficients, long received, long solved, long stride, long scratch) {

    /** Where p_s goes. */
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

  /** HPDS's baseline: a thread takes four bytes down all earlier frames. */
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
   * HPDS: a thread makes four bytes of one product, and trees of threads sum them.
   *
   * @param products multiplies, and sums 32 products
   * @param sums makes the frame of those
   */
  record ByRowsAndColumns(Function products, Function sums) implements FrameKernel {

    /** Rows, and words of a row, that a block of threads has. */
    private static final int TILE = 32;

    private static final int MAX_FRAMES = 1 << 21;

    static ByRowsAndColumns find(KernelModules modules) {
      return new ByRowsAndColumns(
          modules.function(FILE, "substitution_hpds_frame"),
          modules.function(FILE, "substitution_hpds_reduce"));
    }

    @Override
    public long scratchBytes(int n, int k) {
      if (n > MAX_FRAMES) {
        throw new IllegalArgumentException(
            "%d frames where HPDS's kernels solve up to %d".formatted(n, MAX_FRAMES));
      }
      return (long) Math.ceilDiv(n, TILE) * WORD * Math.ceilDiv(k, WORD);
    }

    @Override
    public void solve(StreamSlot slot, FieldTables field, Frame frame) {
      frame.write(slot, field, 0);
      int across = Math.ceilDiv(frame.k(), TILE * WORD);
      if (frame.s() > 0) {
        int down = Math.ceilDiv(frame.s(), TILE);
        slot.launch(products, new LaunchShape(across, down, 1, TILE, TILE, 0));
      }
      slot.launch(sums, new LaunchShape(across, 1, 1, TILE, TILE, 0));
    }
  }

  /** Ours: rows and columns, 16 bytes and several rows a thread, one launch. */
  record BySlices(Function kernel) implements FrameKernel {

    private static final int THREADS = 256;

    /** 16-byte columns of a block of threads: the fastest on an H200. */
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
