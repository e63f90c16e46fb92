package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import java.util.List;

/** Cuts jobs into pieces and runs them in lanes; into smaller ones if memory is short. */
final class JobRunner {

  /** Smaller pieces than this would not save what is missing. */
  private static final long LEAST_PIECE = 64 << 10;

  private final Lanes lanes;

  JobRunner(Lanes lanes) {
    this.lanes = lanes;
  }

  /**
   * Runs a job to its end. It is begun anew, in smaller pieces, only as long as nothing is done.
   *
   * @throws OutOfDeviceMemoryException if the GPU has not even the memory of the smallest pieces
   */
  void run(Job job) {
    JobShape shape = job.shape();
    if (shape.isEmpty()) {
      return;
    }
    long most = shape.pieceBytes();
    int depth = shape.depth();
    while (true) {
      try {
        run(job, job.cut(most), depth);
        return;
      } catch (OutOfDeviceMemoryException e) {
        if (most <= LEAST_PIECE && depth == 1) {
          throw e;
        }
        depth = most <= LEAST_PIECE ? 1 : depth;
        most /= 2;
      }
    }
  }

  private void run(Job job, Cut cut, int depth) {
    Workspace workspace = new Workspace();
    job.reserve(workspace, cut);
    List<Piece> pieces = cut.pieces(job.shape().count(), job.shape().rows(), job.shape().columns());
    lanes.use(
        Math.min(depth, pieces.size()),
        workspace,
        used -> {
          PieceLoop.run(pieces, used, workspace.usesHost(), job);
          return pieces.size();
        });
  }
}
