package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import java.util.List;

/** Cuts jobs into pieces and runs them in lanes; into smaller ones if memory is short. */
final class JobRunner {

  /** Smaller pieces than this would not save what is missing. */
  private static final long MIN_PIECE_BYTES = 64 << 10;

  private final StreamPool streams;

  JobRunner(StreamPool streams) {
    this.streams = streams;
  }

  /**
   * Runs a job to its end. It is begun anew, in smaller pieces, only as long as nothing is done.
   *
   * @throws OutOfDeviceMemoryException if the GPU has not even the memory of the smallest pieces
   */
  <P> void run(PieceJob<P> job) {
    retryWithSmallerPieces(
        job.pieceBytes(),
        job.depth(),
        (most, depth) -> {
          List<P> pieces = job.split(most);
          if (!pieces.isEmpty()) {
            ScratchLayout scratch = new ScratchLayout();
            job.reserve(scratch, pieces);
            run(pieces, depth, scratch, job);
          }
        });
  }

  /** Something tried with pieces of a size, so many at a time. */
  private interface Attempt {
    void run(long most, int depth);
  }

  private static void retryWithSmallerPieces(long pieceBytes, int lanes, Attempt attempt) {
    long most = pieceBytes;
    int depth = lanes;
    while (true) {
      try {
        attempt.run(most, depth);
        return;
      } catch (OutOfDeviceMemoryException e) {
        if (most <= MIN_PIECE_BYTES && depth == 1) {
          throw e;
        }
        depth = most <= MIN_PIECE_BYTES ? 1 : depth;
        most /= 2;
      }
    }
  }

  private <P> void run(
      List<P> pieces, int depth, ScratchLayout scratch, PiecePipeline.Work<P> work) {
    streams.use(
        Math.min(depth, pieces.size()),
        scratch,
        used -> {
          PiecePipeline.run(pieces, used, scratch.usesHost(), work);
          return pieces.size();
        });
  }
}
