package io.fieldstone.cuda.stars;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.cuda.execution.CpuFallback;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.StarSink;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Searches for stars by testing the pairs of candidates of each point. The points stay on the GPU.
 * The candidates are counted at the start, to cut the points into pieces.
 */
final class PairStarSearch implements StarSearch {

  /** Points whose candidates are counted by one launch; limits the pinned memory. */
  private static final int COUNTED_POINTS = 1 << 20;

  private final Gpu gpu;
  private final StarKernels kernels;
  private final StarPoints points;
  private final CpuFallback fallback;
  private final int[] counts;
  private @Nullable StarSearch cpuSearch;

  private PairStarSearch(
      Gpu gpu, StarKernels kernels, StarPoints points, CpuFallback fallback, int[] counts) {
    this.gpu = gpu;
    this.kernels = kernels;
    this.points = points;
    this.fallback = fallback;
    this.counts = counts;
  }

  /**
   * Uploads a field and counts the candidates of its points.
   *
   * @param fallback searches pieces with too many pairs that only exact arithmetic decides
   */
  static PairStarSearch open(Gpu gpu, StarField field, CpuFallback fallback) {
    StarKernels kernels =
        gpu.call(() -> "search for stars", () -> StarKernels.find(gpu.modules(), field));
    StarPoints points = StarPoints.load(gpu, field);
    try {
      return new PairStarSearch(
          gpu, kernels, points, fallback, countCandidates(gpu, kernels, points));
    } catch (RuntimeException | Error e) {
      points.close();
      throw e;
    }
  }

  private static int[] countCandidates(Gpu gpu, StarKernels kernels, StarPoints points) {
    int count = points.field().points();
    int[] counts = new int[count];
    long bytes = (long) Math.min(count, COUNTED_POINTS) * Integer.BYTES;
    ScratchLayout scratch = new ScratchLayout();
    long deviceCounts = scratch.device(bytes);
    long pinnedCounts = scratch.pinned(bytes);
    return gpu.call(
        () -> "count the candidates of %d points".formatted(count),
        () ->
            points.inside(base -> {
              gpu.streams()
                  .useOne(
                      scratch,
                      slot -> {
                        for (int first = 0; first < count; first += COUNTED_POINTS) {
                          int pointCount = Math.min(COUNTED_POINTS, count - first);
                          MemorySegment counted =
                              slot.pinned(pinnedCounts, (long) pointCount * Integer.BYTES);
                          try (StreamTrace.Open _ = slot.phase("candidates", 0)) {
                            kernels.count(
                                slot, points, base, first, pointCount, slot.device(deviceCounts));
                          }
                          slot.stream().download(slot.device(deviceCounts), counted);
                          slot.await();
                          MemorySegment.copy(counted, JAVA_INT, 0, counts, first, pointCount);
                        }
                      });
              return counts;
            }));
  }

  @Override
  public StarField field() {
    return points.field();
  }

  @Override
  public String method() {
    return CudaStars.LANES;
  }

  @Override
  public long count(int first, int points) {
    field().requirePoints(first, points);
    return run("count", first, points, Optional.empty());
  }

  @Override
  public <X extends Exception> void enumerate(int first, int points, StarSink<X> sink) throws X {
    field().requirePoints(first, points);
    StarOutlet<X> outlet = new StarOutlet<>(sink);
    outlet.run(() -> run("enumerate", first, points, Optional.of(outlet)));
  }

  private long run(String operation, int first, int count, Optional<StarOutlet<?>> outlet) {
    return gpu.call(
        () -> "%s the stars of %d points from %d on".formatted(operation, count, first),
        () ->
            points.inside(base -> {
              StarPairJob job =
                  new StarPairJob(
                      kernels, points, base, counts, first, count, outlet, this::cpuSearch);
              gpu.jobs().run(job);
              return job.stars();
            }));
  }

  private synchronized StarSearch cpuSearch() {
    StarSearch search = cpuSearch;
    if (search == null) {
      search = fallback.engine().stars().search(field());
      cpuSearch = search;
    }
    return search;
  }

  @Override
  public synchronized void close() {
    points.close();
    if (cpuSearch != null) {
      cpuSearch.close();
    }
  }
}
