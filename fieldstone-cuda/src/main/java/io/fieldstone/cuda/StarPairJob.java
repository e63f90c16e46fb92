package io.fieldstone.cuda;

import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarSearch;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tests the pairs of candidates of a run of points: counts the stars and, if there is an outlet,
 * brings all bits home, piece by piece. What the GPU leaves open is decided here; where that is too
 * much of a piece, the processor searches it.
 */
final class StarPairJob implements ByteJob<StarPiece> {

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
  private Optional<StarWorkspace> workspace = Optional.empty();
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
  public List<StarPiece> cut(long most) {
    return StarPiece.cut(counts, first, count, most, outlet.isPresent());
  }

  @Override
  public void reserve(Workspace lanes, List<StarPiece> pieces) {
    workspace =
        Optional.of(new StarWorkspace(lanes, pieces, outlet.isPresent(), kernels.numbers()));
  }

  private StarWorkspace memory() {
    return workspace.orElseThrow();
  }

  @Override
  public void begin(Lane lane, StarPiece piece) {
    memory().upload(lane, piece, counts);
    try (LanePhases.Open _ = lane.phase("candidates", 0)) {
      kernels.list(lane, points, base, piece, memory());
    }
    try (LanePhases.Open _ = lane.phase("search", 0)) {
      kernels.test(lane, points, base, piece, memory());
    }
    memory().download(lane, piece);
    lane.mark();
  }

  @Override
  public void finish(Lane lane, StarPiece piece) {
    lane.await();
    long doubts = memory().doubtsLeft(lane);
    if (doubts > StarWorkspace.DOUBTS) {
      searchByProcessor(piece);
      return;
    }
    stars += memory().starsFound(lane) + decide(lane, piece, (int) doubts);
    outlet.ifPresent(out -> out.accept(memory().bits(lane, piece, counts)));
  }

  /** Decides the pairs that are left; returns how many are stars. */
  private long decide(Lane lane, StarPiece piece, int doubts) {
    if (doubts == 0) {
      return 0;
    }
    memory().downloadDoubts(lane, doubts);
    StarField field = points.field();
    long found = 0;
    for (int i = 0; i < doubts; i++) {
      StarWorkspace.Doubt doubt = memory().doubt(lane, i);
      if (field.isStar(piece.first() + doubt.point(), doubt.j(), doubt.k())) {
        found++;
        if (outlet.isPresent()) {
          memory().setBit(lane, doubt);
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
