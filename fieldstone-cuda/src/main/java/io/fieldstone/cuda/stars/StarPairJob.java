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
 * Tests the pairs of candidates of a range of points, piece by piece. Counts the stars and, if
 * there is an outlet, downloads a bit for each pair. The host decides the pairs that the GPU leaves
 * undecided; a piece with too many of them is searched by the CPU engine.
 */
final class StarPairJob implements PieceJob<StarPiece> {

  /** Bytes of the candidates of a piece that is counted: a third of the paper's benchmark. */
  private static final long COUNTED_PIECE_BYTES = 256L << 20;

  private static final int COUNTED_DEPTH = 2;

  /** Bytes of candidates and bits, half of which are downloaded, within a millisecond. */
  private static final long ENUMERATED_PIECE_BYTES = 64L << 20;

  private static final int ENUMERATED_DEPTH = 3;

  private final StarKernels kernels;
  private final StarPoints points;
  private final long base;
  private final int[] counts;
  private final int first;
  private final int count;
  private final Optional<StarOutlet<?>> outlet;
  private final Supplier<StarSearch> cpuSearch;
  private Optional<StarScratch> scratch = Optional.empty();
  private long stars;

  /**
   * Creates a job.
   *
   * @param base address of the memory of the points
   * @param counts of the candidates of all points
   * @param first point that is searched
   * @param count of the points that are searched
   * @param outlet receives the bits
   * @param cpuSearch supplies a search of the same field on the CPU
   */
  StarPairJob(
      StarKernels kernels,
      StarPoints points,
      long base,
      int[] counts,
      int first,
      int count,
      Optional<StarOutlet<?>> outlet,
      Supplier<StarSearch> cpuSearch) {
    this.kernels = kernels;
    this.points = points;
    this.base = base;
    this.counts = counts;
    this.first = first;
    this.count = count;
    this.outlet = outlet;
    this.cpuSearch = cpuSearch;
  }

  @Override
  public long pieceBytes() {
    return outlet.isPresent() ? ENUMERATED_PIECE_BYTES : COUNTED_PIECE_BYTES;
  }

  @Override
  public int depth() {
    return outlet.isPresent() ? ENUMERATED_DEPTH : COUNTED_DEPTH;
  }

  @Override
  public List<StarPiece> split(long maxBytes) {
    return StarPiece.cut(counts, first, count, maxBytes, outlet.isPresent());
  }

  @Override
  public void reserve(ScratchLayout layout, List<StarPiece> pieces) {
    scratch = Optional.of(new StarScratch(layout, pieces, outlet.isPresent(), kernels.precision()));
  }

  private StarScratch memory() {
    return scratch.orElseThrow();
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
    long undecided = memory().undecidedPairs(slot);
    if (undecided > StarScratch.MAX_UNDECIDED) {
      searchOnCpu(piece);
      return;
    }
    stars += memory().starsFound(slot) + decide(slot, piece, (int) undecided);
    outlet.ifPresent(out -> out.accept(memory().bits(slot, piece, counts)));
  }

  /** Decides the undecided pairs and returns the number of stars among them. */
  private long decide(StreamSlot slot, StarPiece piece, int undecided) {
    if (undecided == 0) {
      return 0;
    }
    memory().downloadUndecided(slot, undecided);
    StarField field = points.field();
    long found = 0;
    for (int i = 0; i < undecided; i++) {
      StarArguments.Undecided pair = memory().undecidedPair(slot, i);
      if (field.isStar(piece.first() + pair.point(), pair.j(), pair.k())) {
        found++;
        if (outlet.isPresent()) {
          memory().setBit(slot, pair);
        }
      }
    }
    return found;
  }

  private void searchOnCpu(StarPiece piece) {
    if (outlet.isPresent()) {
      cpuSearch.get().enumerate(piece.first(), piece.points(), outlet.get()::accept);
    } else {
      stars += cpuSearch.get().count(piece.first(), piece.points());
    }
  }

  /** Returns the number of stars, after the job has run. */
  long stars() {
    return stars;
  }
}
