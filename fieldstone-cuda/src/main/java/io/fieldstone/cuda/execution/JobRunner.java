package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import java.util.List;

/** Splits jobs into pieces and runs them, in smaller pieces if device memory is insufficient. */
public final class JobRunner {

  /** The minimum piece: smaller ones would save too little memory. */
  private static final long MIN_PIECE_BYTES = 64 << 10;

  private final StreamPool streams;

  JobRunner(StreamPool streams) {
    this.streams = streams;
  }

  /**
   * Runs a job to its end. Its host memory must stay open. A job is restarted in smaller pieces
   * only before any piece has started.
   *
   * @throws OutOfDeviceMemoryException if memory is insufficient for the smallest pieces
   */
  public <P> void run(PieceJob<P> job) {
    retryWithSmallerPieces(
        job.pieceBytes(),
        job.depth(),
        (maxBytes, depth) -> {
          List<P> pieces = job.split(maxBytes);
          if (!pieces.isEmpty()) {
            ScratchLayout scratch = new ScratchLayout();
            job.reserve(scratch, pieces);
            run(pieces, depth, scratch, job);
          }
        });
  }

  /** An attempt with a piece size and a number of concurrent pieces. */
  private interface Attempt {
    void run(long maxBytes, int depth);
  }

  private static void retryWithSmallerPieces(long pieceBytes, int maxDepth, Attempt attempt) {
    long maxBytes = pieceBytes;
    int depth = maxDepth;
    while (true) {
      try {
        attempt.run(maxBytes, depth);
        return;
      } catch (OutOfDeviceMemoryException e) {
        if (maxBytes <= MIN_PIECE_BYTES && depth == 1) {
          throw e;
        }
        depth = maxBytes <= MIN_PIECE_BYTES ? 1 : depth;
        maxBytes /= 2;
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
