package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarSearch;
import io.fieldstone.engine.StarSink;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tests the pairs of candidates of each point on a GPU. The points stay there; how many candidates
 * each has is counted at once, so that pieces can be cut.
 */
final class LaneStarSearch implements StarSearch {

  /** Points whose candidates are counted at a time: as many counts go through pinned memory. */
  private static final int COUNTED = 1 << 20;

  private final Gpu gpu;
  private final StarKernels kernels;
  private final StarPoints points;
  private final Processor processor;
  private final int[] counts;
  private @Nullable StarSearch processorSearch;

  private LaneStarSearch(
      Gpu gpu, StarKernels kernels, StarPoints points, Processor processor, int[] counts) {
    this.gpu = gpu;
    this.kernels = kernels;
    this.points = points;
    this.processor = processor;
    this.counts = counts;
  }

  /**
   * Begins a search.
   *
   * @param processor searches what has too many pairs that only exact arithmetic decides
   */
  static LaneStarSearch begin(Gpu gpu, StarField field, Processor processor) {
    StarKernels kernels =
        gpu.call(() -> "search for stars", () -> StarKernels.find(gpu.modules(), field));
    StarPoints points = StarPoints.bring(gpu, field);
    try {
      return new LaneStarSearch(gpu, kernels, points, processor, counted(gpu, kernels, points));
    } catch (RuntimeException | Error e) {
      points.close();
      throw e;
    }
  }

  private static int[] counted(Gpu gpu, StarKernels kernels, StarPoints points) {
    int count = points.field().points();
    int[] counts = new int[count];
    long bytes = (long) Math.min(count, COUNTED) * Integer.BYTES;
    Workspace workspace = new Workspace();
    long onGpu = workspace.device(bytes);
    long home = workspace.pinned(bytes);
    return gpu.call(
        () -> "count the candidates of %d points".formatted(count),
        () ->
            points.inside(base -> {
              gpu.lanes()
                  .useOne(
                      workspace,
                      lane -> {
                        for (int first = 0; first < count; first += COUNTED) {
                          int part = Math.min(COUNTED, count - first);
                          MemorySegment counted = lane.pinned(home, (long) part * Integer.BYTES);
                          try (LanePhases.Open _ = lane.phase("candidates", 0)) {
                            kernels.count(lane, points, base, first, part, lane.device(onGpu));
                          }
                          lane.stream().download(lane.device(onGpu), counted);
                          lane.await();
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
      search = processor.engine().stars().search(field());
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
