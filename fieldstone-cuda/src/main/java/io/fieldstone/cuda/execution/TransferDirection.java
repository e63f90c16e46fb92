package io.fieldstone.cuda.execution;

/** Which ways the blocks of a job cross the bus. */
public enum TransferDirection {
  /** What stays on the GPU: one piece is prepared while another is multiplied. */
  NONE(2),

  /**
   * From the host, or to it. While one piece crosses, the kernels of another are soon done; copies
   * of more streams than two take turns less well (53.3 GB/s of four against 54.7 of two, on an
   * H200 that carries 55.2).
   */
  ONE_WAY(2),

  /** From the host and back: a piece going up, one multiplied, one coming down. */
  BOTH_WAYS(3),

  /**
   * Likewise, with an inversion before: one piece more (2 GiB on an H200 whose bus carries 50 GB/s
   * each way at once: 48.5 instead of 44.7 GB/s).
   */
  BOTH_WAYS_INVERTED(4);

  private final int depth;

  TransferDirection(int depth) {
    this.depth = depth;
  }

  /** Pieces under way at a time. */
  public int depth() {
    return depth;
  }
}
