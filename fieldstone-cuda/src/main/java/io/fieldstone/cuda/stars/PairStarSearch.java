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
 * Tests the pairs of candidates of each point on a GPU. The points stay there; how many candidates
 * each has is counted at once, so that pieces can be cut.
 */
final class PairStarSearch implements StarSearch {

  /** Points whose candidates are counted at a time: as many counts go through pinned memory. */
  private static final int COUNTED = 1 << 20;

  private final Gpu gpu;
  private final StarKernels kernels;
  private final StarPoints points;
  private final CpuFallback fallback;
  private final int[] counts;
  private @Nullable StarSearch processorSearch;

  private PairStarSearch(
      Gpu gpu, StarKernels kernels, StarPoints points, CpuFallback fallback, int[] counts) {
    this.gpu = gpu;
    this.kernels = kernels;
    this.points = points;
    this.fallback = fallback;
    this.counts = counts;
  }

  /**
   * Begins a search.
   *
   * @param fallback searches what has too many pairs that only exact arithmetic decides
   */
  static PairStarSearch begin(Gpu gpu, StarField field, CpuFallback fallback) {
    StarKernels kernels =
        gpu.call(() -> "search for stars", () -> StarKernels.find(gpu.modules(), field));
    StarPoints points = StarPoints.bring(gpu, field);
    try {
      return new PairStarSearch(gpu, kernels, points, fallback, counted(gpu, kernels, points));
    } catch (RuntimeException | Error e) {
      points.close();
      throw e;
    }
  }

  private static int[] counted(Gpu gpu, StarKernels kernels, StarPoints points) {
    int count = points.field().points();
    int[] counts = new int[count];
    long bytes = (long) Math.min(count, COUNTED) * Integer.BYTES;
    ScratchLayout scratch = new ScratchLayout();
    long onGpu = scratch.device(bytes);
    long home = scratch.pinned(bytes);
    return gpu.call(
        () -> "count the candidates of %d points".formatted(count),
        () ->
            points.inside(base -> {
              gpu.streams()
                  .useOne(
                      scratch,
                      slot -> {
                        for (int first = 0; first < count; first += COUNTED) {
                          int part = Math.min(COUNTED, count - first);
                          MemorySegment counted = slot.pinned(home, (long) part * Integer.BYTES);
                          try (StreamTrace.Open _ = slot.phase("candidates", 0)) {
                            kernels.count(slot, points, base, first, part, slot.device(onGpu));
                          }
                          slot.stream().download(slot.device(onGpu), counted);
                          slot.await();
                          MemorySegment.copy(counted, JAVA_INT, 0, counts, first, part);
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

  private long run(String what, int first, int count, Optional<StarOutlet<?>> outlet) {
    return gpu.call(
        () -> "%s the stars of %d points from %d on".formatted(what, count, first),
        () ->
            points.inside(base -> {
              StarPairJob job =
                  new StarPairJob(
                      kernels, points, base, counts, first, count, outlet, this::byProcessor);
              gpu.run(job);
              return job.stars();
            }));
  }

  private synchronized StarSearch byProcessor() {
    StarSearch search = processorSearch;
    if (search == null) {
      search = fallback.engine().stars().search(field());
      processorSearch = search;
    }
    return search;
  }

  @Override
  public synchronized void close() {
    points.close();
    if (processorSearch != null) {
      processorSearch.close();
    }
  }
}
