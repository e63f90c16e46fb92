package io.fieldstone.cuda;

/** Where a job of products has its source blocks from. */
interface Sources {

  /** Blocks n of each matrix as laid out. */
  int blocks();

  /** Reserves room in the lanes for pieces of this size. */
  void reserve(Workspace workspace, Cut cut);

  /** Sends up what a piece has of them in host memory; before {@link #bring}. */
  void send(Lane lane, Piece piece);

  /** The blocks for a piece, laid out, by the time that the lane's stream gets there. */
  LaidOut bring(Lane lane, Piece piece);
}
