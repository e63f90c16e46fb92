package io.fieldstone.cuda.stars;

import static io.fieldstone.cuda.stars.StarFields.clusters;
import static io.fieldstone.cuda.stars.StarFields.field;
import static io.fieldstone.cuda.stars.StarFields.stars;
import static io.fieldstone.cuda.stars.StarFields.starsOfProcessor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.cuda.FakeGpu;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarBatch;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.relays.SensorField;
import io.fieldstone.relays.StarFile;
import io.fieldstone.relays.ThreeStarSearch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests star searches on a fake GPU against those of the CPU. */
class CudaStarsTest {

  private final FakeGpu gpu = FakeGpu.lazy();
  private final SplittableRandom random = new SplittableRandom(3);
  private boolean isLost;

  @AfterEach
  void noMemoryIsLeft() {
    if (!isLost) {
      assertThat(gpu.driver().leaks()).isEmpty();
    }
    gpu.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyMethodFindsThem(StarRule rule) {
    StarField field = field(random, 300, 300, 1, rule);
    List<String> expected = starsOfProcessor(field, 0, 300);
    assertThat(expected).hasSizeGreaterThan(1000);
    try (Engine engine = gpu.open("cuda:0")) {
      assertThat(engine.stars().methods(field)).containsExactly("lanes");
      for (String method : engine.stars().methods(field)) {
        try (StarSearch search = engine.stars().search(field, method)) {
          assertThat(search.method()).isEqualTo(method);
          assertThat(stars(search, 0, 300)).as(method).isEqualTo(expected);
          assertThat(stars(search, 120, 90)).as(method).isEqualTo(starsOfProcessor(field, 120, 90));
          assertThat(search.count()).as(method).isEqualTo(expected.size());
          assertThat(search.count(300, 0)).as(method).isZero();
        }
      }
    }
  }

  /**
   * Searches a cell with more points than a segment, and a segment with more stars than an output.
   * The memory suffices for three of the smallest outputs and for the stars of one segment.
   */
  @ParameterizedTest
  @CsvSource("lanes, 10")
  void littleMemoryIsEnough(String method, int others) {
    gpu.driver().withMemory(5 << 16);
    StarField field = clusters(250, others, 1);
    List<String> expected = starsOfProcessor(field, 0, field.points());
    assertThat(expected).hasSize(250 * others * others);
    try (Engine engine = gpu.open("cuda:0");
        StarSearch search = engine.stars().search(field, method)) {
      assertThat(stars(search, 0, field.points())).isEqualTo(expected);
      assertThat(search.count()).isEqualTo(expected.size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void openPairsAreDecidedOnTheCpu(StarRule rule) {
    searches(field(random, 60, 140, 0.1, rule));
  }

  /** A third of the pairs is undecided, which exceeds the capacity. */
  @Test
  void fieldsWithManyOpenPairsRunOnTheCpu() {
    searches(clusters(60, 50, 0.1));
  }

  private void searches(StarField field) {
    int points = field.points();
    List<String> expected = starsOfProcessor(field, 0, points);
    assertThat(expected).isNotEmpty();
    try (Engine engine = gpu.open("cuda:0")) {
      assertThat(engine.stars().methods(field)).containsExactly("lanes");
      try (StarSearch search = engine.stars().search(field)) {
        assertThat(stars(search, 0, points)).isEqualTo(expected);
        assertThat(search.count()).isEqualTo(expected.size());
      }
    }
  }

  /** Checks that files of all formats have the same stars. */
  @Test
  void filesAreWrittenOfEveryForm(@TempDir Path directory) throws Exception {
    StarField field = clusters(20, 5, 1);
    SensorField sensors =
        SensorField.planar(
            IntStream.range(0, field.points()).mapToObj(Integer::toString).toList(),
            field.xs(),
            field.ys());
    try (Engine engine = gpu.open("cuda:0")) {
      for (String method : engine.stars().methods(field)) {
        Path file = directory.resolve(method);
        try (ThreeStarSearch search =
            ThreeStarSearch.in(engine, sensors, field.range(), field.rule(), method)) {
          assertThat(search.write(file)).as(method).isEqualTo(20 * 5 * 5);
        }
        try (StarFile written = StarFile.open(file)) {
          Set<List<Integer>> stars = new HashSet<>();
          written.forEach((a, b, c) -> stars.add(Stream.of(a, b, c).sorted().toList()));
          assertThat(stars).as(method).hasSize(20 * 5 * 5);
        }
      }
    }
  }

  /** Checks that batches of bits are in ascending order of points. */
  @Test
  void bitsComeInOrder() {
    gpu.driver().withMemory(3 << 16);
    StarField field = field(random, 600, 400, 1, StarRule.CIRCUMCIRCLE);
    List<Integer> firsts = new ArrayList<>();
    try (Engine engine = gpu.open("cuda:0");
        StarSearch search = engine.stars().search(field)) {
      search.enumerate(batch -> firsts.add(((StarBatch.PairBits) batch).first()));
    }
    assertThat(firsts).hasSizeGreaterThan(1).isSorted().doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(strings = "lanes")
  void aSinkThatThrowsEndsTheSearch(String method) {
    StarField field = clusters(20, 20, 1);
    try (Engine engine = gpu.open("cuda:0");
        StarSearch search = engine.stars().search(field, method)) {
      int[] calls = {0};
      for (Throwable thrown :
          List.of(new IOException("full"), new IllegalStateException("no"), new AssertionError())) {
        assertThatExceptionOfType(Throwable.class)
            .isThrownBy(() ->
                search.<Exception>enumerate(batch -> {
                  calls[0]++;
                  switch (thrown) {
                    case Error e -> throw e;
                    case Exception e -> throw e;
                    default -> throw new AssertionError(thrown);
                  }
                }))
            .isSameAs(thrown);
      }
      assertThat(calls[0]).isEqualTo(3);
      assertThat(search.count()).isEqualTo(20 * 20 * 20);
    }
  }

  @Test
  void memoryThatIsMissingIsNamed() {
    gpu.driver().withMemory(100_000);
    try (Engine engine = gpu.open("cuda:0")) {
      StarField field = field(random, 10_000, 100_000, 1, StarRule.CIRCUMCIRCLE);
      for (String method : List.of("lanes")) {
        assertThatExceptionOfType(OutOfMemoryError.class)
            .isThrownBy(() -> engine.stars().search(field, method).close())
            .withMessageContaining("engine cuda:0 has not enough memory to load 10000 points");
      }
    }
  }

  @Test
  void aFailedKernelClosesTheEngineAndIsNamed() {
    gpu.driver()
        .kernel(
            "stars_pairs_circle_64",
            144,
            (_, _) -> {
              throw new AssertionError("astray");
            });
    isLost = true;
    StarField field = field(random, 300, 300, 1, StarRule.CIRCUMCIRCLE);
    Engine engine = gpu.open("cuda:0");
    StarSearch search = engine.stars().search(field);
    assertThatIllegalStateException()
        .isThrownBy(search::count)
        .withMessageContaining("engine cuda:0 was closed after")
        .withMessageContaining("count the stars of 300 points from 0 on")
        .withMessageContaining("stars_pairs_circle_64");
    search.close();
    engine.close();
  }

  @Test
  void rejectsUnsupportedMethods() {
    StarField field = field(random, 30, 100, 1, StarRule.CIRCUMCIRCLE);
    try (Engine engine = gpu.open("cuda:0")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> engine.stars().search(field, "quick"))
          .withMessageContaining("no method 'quick'")
          .withMessageContaining("cuda:0")
          .withMessageContaining("there are: lanes");
      StarSearch search = engine.stars().search(field);
      search.close();
      search.close();
      assertThatIllegalStateException().isThrownBy(search::count);
    }
  }
}
