package io.fieldstone.cuda.execution;

/** The directions in which a job moves blocks over the bus. */
public enum TransferDirection {
  /** No transfer: one piece is prepared while another is multiplied. */
  NONE(2),

  /**
   * Upload or download. One piece is transferred while the kernels of another run. Copies of more
   * than two streams alternate less well: 53.3 GB/s with four against 54.7 with two, of 55.2 on an
   * H200.
   */
  ONE_WAY(2),

  /** Upload and download: one piece in each, and one in a kernel. */
  BOTH_WAYS(3),

  /**
   * Upload, inversion, product and download: one piece more. 2 GiB on an H200 with 50 GB/s each
   * way: 48.5 instead of 44.7 GB/s.
   */
  BOTH_WAYS_INVERTED(4);

  private final int depth;

  TransferDirection(int depth) {
    this.depth = depth;
  }

  /** Returns the number of concurrent pieces. */
  public int depth() {
    return depth;
  }
}
