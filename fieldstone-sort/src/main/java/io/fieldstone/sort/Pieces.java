package io.fieldstone.sort;

import io.fieldstone.stream.Pipeline;
import io.fieldstone.stream.Stage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Divides consecutive bytes into pieces that several threads process in any order. */
final class Pieces {

  private final long total;
  private final long pieceBytes;
  private long next;

  private Pieces(long total, long pieceBytes) {
    this.total = total;
    this.pieceBytes = pieceBytes;
  }

  /** Processes a piece; called by several threads at once. */
  interface Task {
    void run(long position, long bytes) throws IOException, InterruptedException;
  }

  /**
   * Processes all pieces. The first failure ends all threads and is thrown.
   *
   * @param name a word for the names of the threads
   * @param threads the maximum number of threads
   * @param pieceBytes the bytes of each piece but the last
   * @throws InterruptedException if the calling thread is interrupted; all threads have then ended
   */
  static void forEach(String name, int threads, long total, long pieceBytes, Task task)
      throws IOException, InterruptedException {
    Pieces pieces = new Pieces(total, pieceBytes);
    List<Piece> each = new ArrayList<>();
    for (long i = 0; i < Math.clamp(Math.ceilDiv(total, pieceBytes), 1, threads); i++) {
      each.add(new Piece());
    }
    new Pipeline<Piece, IOException>(name, each)
        .inOrder("next", pieces::take)
        .anyOrder(
            name,
            piece -> {
              task.run(piece.position, piece.bytes);
              return piece.bytes;
            })
        .run();
  }

  private long take(Piece piece) {
    if (next == total) {
      return Stage.END;
    }
    piece.position = next;
    piece.bytes = Math.min(pieceBytes, total - next);
    next += piece.bytes;
    return 0;
  }

  /** The piece of one thread. */
  private static final class Piece {
    private long position;
    private long bytes;
  }
}
