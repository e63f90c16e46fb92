package io.fieldstone.cuda;

/** The left operand of a job's products: coefficients m×n', row-major on the GPU. */
interface Factors {

  /** Columns n' of each matrix. */
  int columns();

  /** Reserves room in the lanes for pieces of this size. */
  void reserve(Workspace workspace, Cut cut);

  /** Sends up what a piece has of them in host memory; before {@link #bring}. */
  void send(Lane lane, Piece piece);

  /** Those of a piece, by the time that the lane's stream gets there. */
  DeviceMatrices bring(Lane lane, Piece piece);
}
