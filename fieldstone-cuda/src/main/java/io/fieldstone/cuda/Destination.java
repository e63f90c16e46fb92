package io.fieldstone.cuda;

/** Where the products of a job go. */
interface Destination {

  /** Reserves room in the lanes for pieces of this size. */
  void reserve(Workspace workspace, Cut cut);

  /** Where a kernel writes the products of a piece: in scratch of the lane, or in place. */
  DeviceMatrices place(Lane lane, Piece piece);

  /**
   * Sends some of a piece's matrices from {@link #place} to where they belong.
   *
   * @param first the first of them, counted from the piece's first
   */
  void deliver(Lane lane, Piece piece, long first, long count);

  /** Ends {@link #deliver}, after the lane is done. */
  void finish(Lane lane, Piece piece, long first, long count);
}
