package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.engine.stars.StarBatch;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.plane.Grid;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts the stars of the benchmark's points by every method; docs/relays.md has the numbers. */
@Tag("gpu")
public class GpuStarsTest {

  private static final int RANGE = 50;
  private static final int WIDTH = 2000;
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  @ParameterizedTest
  @CsvSource({
    "12800, CIRCUMCIRCLE, 2275577",
    "12800, ENCLOSING_CIRCLE, 2444734",
    "25600, CIRCUMCIRCLE, 18294622",
    "25600, ENCLOSING_CIRCLE, 19656608"
  })
  void everyMethodFindsThem(int count, StarRule rule, long expected) {
    CudaProvider provider = new CudaProvider();
    EngineStatus first = provider.engines().getFirst();
    assumeTrue(first.isPresent(), () -> first.missing().orElse(""));
    StarField field = field(count, rule);
    try (Engine engine = provider.open("cuda:0", EngineOptions.DEFAULT)) {
      for (String method : engine.stars().methods(field)) {
        try (StarSearch search = engine.stars().search(field, method)) {
          assertThat(search.count()).as(method).isEqualTo(expected);
          LongAdder found = new LongAdder();
          LongAdder visited = new LongAdder();
          search.enumerate((StarBatch batch) -> {
            found.add(batch.stars());
            batch.forEach((_, _, _) -> visited.increment());
          });
          assertThat(found.sum()).as(method).isEqualTo(expected);
          assertThat(visited.sum()).as(method).isEqualTo(expected);
        }
      }
    }
  }

  /** Of splitmix64 with state 1, as docs/relays.md says. */
  private static StarField field(int count, StarRule rule) {
    double[][] points = new double[count][2];
    long state = 1;
    for (double[] point : points) {
      for (int i = 0; i < 2; i++) {
        state += GAMMA;
        point[i] = (mixed(state) >>> 32) * WIDTH >>> 32;
      }
    }
    Grid grid = new Grid(2 * RANGE);
    Arrays.sort(points, Comparator.comparingLong(point -> grid.key(point[0], point[1])));
    return new StarField(
        Arrays.stream(points).mapToDouble(point -> point[0]).toArray(),
        Arrays.stream(points).mapToDouble(point -> point[1]).toArray(),
        RANGE,
        rule);
  }

  private static long mixed(long state) {
    long z = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
