package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.coding.FieldTables;
import io.fieldstone.cuda.coding.decoding.FrameKernel;
import io.fieldstone.cuda.driver.Function;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.execution.KernelModules;
import io.fieldstone.cuda.execution.StreamSlot;

/** HPDS and its baseline, which solve one frame after the earlier ones: {@code hpds.cu}. */
final class HpdsFrames {

  private static final String FILE = "hpds";

  /** The bytes of a product per thread: the paper's T. */
  private static final int WORD = 4;

  private HpdsFrames() {}

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
}
