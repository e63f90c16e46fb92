package io.fieldstone.cuda.stars;

import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tests the pairs of candidates of a run of points: counts the stars and, if there is an outlet,
 * brings all bits home, piece by piece. What the GPU leaves open is decided here; where that is too
 * much of a piece, the processor searches it.
 */
final class StarPairJob implements PieceJob<StarPiece> {

  /** Lists of candidates: three such pieces hold those of the paper's benchmark. */
  private static final long COUNTED_PIECE = 256L << 20;

  private static final int COUNTED_DEPTH = 2;

  /** Lists and bits, of which about half crosses the bus, within a millisecond. */
  private static final long WRITTEN_PIECE = 64L << 20;

  private static final int WRITTEN_DEPTH = 3;

  private final StarKernels kernels;
  private final StarPoints points;
  private final long base;
  private final int[] counts;
  private final int first;
  private final int count;
  private final Optional<StarOutlet<?>> outlet;
  private final Supplier<StarSearch> processor;
  private Optional<StarScratch> workspace = Optional.empty();
  private long stars;

  /**
   * A job.
   *
   * @param base address of the points' memory
   * @param counts of the candidates of all points
   * @param first of the points that are searched
   * @param count how many those are
   * @param outlet takes the bits
   * @param processor searches the same field
   */
  StarPairJob(
      StarKernels kernels,
      StarPoints points,
      long base,
      int[] counts,
      int first,
      int count,
      Optional<StarOutlet<?>> outlet,
      Supplier<StarSearch> processor) {
    this.kernels = kernels;
    this.points = points;
    this.base = base;
    this.counts = counts;
    this.first = first;
    this.count = count;
    this.outlet = outlet;
    this.processor = processor;
  }

  @Override
  public long pieceBytes() {
    return outlet.isPresent() ? WRITTEN_PIECE : COUNTED_PIECE;
  }

  @Override
  public int depth() {
    return outlet.isPresent() ? WRITTEN_DEPTH : COUNTED_DEPTH;
  }

  @Override
  public List<StarPiece> split(long most) {
    return StarPiece.cut(counts, first, count, most, outlet.isPresent());
  }

  @Override
  public void reserve(ScratchLayout lanes, List<StarPiece> pieces) {
    workspace = Optional.of(new StarScratch(lanes, pieces, outlet.isPresent(), kernels.numbers()));
  }

  private StarScratch memory() {
    return workspace.orElseThrow();
  }

  @Override
  public void enqueue(StreamSlot slot, StarPiece piece) {
    memory().upload(slot, piece, counts);
    try (StreamTrace.Open _ = slot.phase("candidates", 0)) {
      kernels.list(slot, points, base, piece, memory());
    }
    try (StreamTrace.Open _ = slot.phase("search", 0)) {
      kernels.test(slot, points, base, piece, memory());
    }
    memory().download(slot, piece);
    slot.mark();
  }

  @Override
  public void finish(StreamSlot slot, StarPiece piece) {
    slot.await();
    long doubts = memory().doubtsLeft(slot);
    if (doubts > StarScratch.DOUBTS) {
      searchByProcessor(piece);
      return;
    }
    stars += memory().starsFound(slot) + decide(slot, piece, (int) doubts);
    outlet.ifPresent(out -> out.accept(memory().bits(slot, piece, counts)));
  }

  /** Decides the pairs that are left; returns how many are stars. */
  private long decide(StreamSlot slot, StarPiece piece, int doubts) {
    if (doubts == 0) {
      return 0;
    }
    memory().downloadDoubts(slot, doubts);
    StarField field = points.field();
    long found = 0;
    for (int i = 0; i < doubts; i++) {
      StarScratch.Doubt doubt = memory().doubt(slot, i);
      if (field.isStar(piece.first() + doubt.point(), doubt.j(), doubt.k())) {
        found++;
        if (outlet.isPresent()) {
          memory().setBit(slot, doubt);
        }
      }
    }
    return found;
  }

  private void searchByProcessor(StarPiece piece) {
    if (outlet.isPresent()) {
      processor.get().enumerate(piece.first(), piece.points(), outlet.get()::accept);
    } else {
      stars += processor.get().count(piece.first(), piece.points());
    }
  }

  /** How many stars were counted, when the job has run. */
  long stars() {
    return stars;
  }
}
