package io.fieldstone.papers.cuda.stars;

import static io.fieldstone.cuda.stars.StarFields.clusters;
import static io.fieldstone.cuda.stars.StarFields.field;
import static io.fieldstone.cuda.stars.StarFields.stars;
import static io.fieldstone.cuda.stars.StarFields.starsOfProcessor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.papers.cuda.PaperGpu;
import io.fieldstone.relays.SensorField;
import io.fieldstone.relays.StarFile;
import io.fieldstone.relays.ThreeStarSearch;
import java.io.IOException;
import java.nio.file.Path;
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

/** Tests the searches of the paper on a fake GPU against those of the CPU. */
class CellStarsTest {

  private final PaperGpu gpu = PaperGpu.lazy();
  private final SplittableRandom random = new SplittableRandom(3);

  @AfterEach
  void noMemoryIsLeft() {
    assertThat(gpu.driver().leaks()).isEmpty();
    gpu.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyMethodFindsThem(StarRule rule) {
    StarField field = field(random, 300, 300, 1, rule);
    List<String> expected = starsOfProcessor(field, 0, 300);
    assertThat(expected).hasSizeGreaterThan(1000);
    try (Engine engine = gpu.openPlain()) {
      assertThat(engine.stars().methods(field))
          .containsExactly(
              "baseline", "streaming", "compression", "compression+streaming", "lanes");
      for (CellMethod each : CellMethod.values()) {
        String method = each.title();
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
  @CsvSource({"streaming, 6", "compression+streaming, 10"})
  void littleMemoryIsEnough(String method, int others) {
    gpu.driver().withMemory(5 << 16);
    StarField field = clusters(250, others, 1);
    List<String> expected = starsOfProcessor(field, 0, field.points());
    assertThat(expected).hasSize(250 * others * others);
    try (Engine engine = gpu.openPlain();
        StarSearch search = engine.stars().search(field, method)) {
      assertThat(stars(search, 0, field.points())).isEqualTo(expected);
      assertThat(search.count()).isEqualTo(expected.size());
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
    try (Engine engine = gpu.openPlain()) {
      for (CellMethod method : CellMethod.values()) {
        Path file = directory.resolve(method.title());
        try (ThreeStarSearch search =
            ThreeStarSearch.in(engine, sensors, field.range(), field.rule(), method.title())) {
          assertThat(search.write(file)).as(method.title()).isEqualTo(20 * 5 * 5);
        }
        try (StarFile written = StarFile.open(file)) {
          Set<List<Integer>> stars = new HashSet<>();
          written.forEach((a, b, c) -> stars.add(Stream.of(a, b, c).sorted().toList()));
          assertThat(stars).as(method.title()).hasSize(20 * 5 * 5);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"baseline", "compression+streaming"})
  void aSinkThatThrowsEndsTheSearch(String method) {
    StarField field = clusters(20, 20, 1);
    try (Engine engine = gpu.openPlain();
        StarSearch search = engine.stars().search(field, method)) {
      IOException full = new IOException("full");
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() ->
              search.<IOException>enumerate(_ -> {
                throw full;
              }))
          .isSameAs(full);
      assertThat(search.count()).isEqualTo(20 * 20 * 20);
    }
  }

  @Test
  void memoryThatIsMissingIsNamed() {
    gpu.driver().withMemory(100_000);
    StarField field = field(random, 10_000, 100_000, 1, StarRule.CIRCUMCIRCLE);
    try (Engine engine = gpu.openPlain()) {
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> engine.stars().search(field, "baseline").close())
          .withMessageContaining("engine cuda:0 has not enough memory to load 10000 points");
    }
  }

  @Test
  void rejectsFieldsWithoutTables() {
    StarField real = field(random, 30, 100, 0.3, StarRule.CIRCUMCIRCLE);
    StarField wide =
        field(
            30,
            i -> new double[] {100 * i, 0},
            TriangleTables.MAX_RANGE + 1,
            StarRule.CIRCUMCIRCLE);
    try (Engine engine = gpu.openPlain()) {
      for (StarField each : List.of(real, wide)) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> engine.stars().search(each, "baseline"))
            .withMessageEndingWith("there are: lanes");
      }
    }
  }
}
