package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SplitRuleTest {

  private static final Set<Split> ALL = EnumSet.allOf(Split.class);

  @ParameterizedTest
  @CsvSource({
    "1024, 128, 4096, GENERATIONS", // a batch
    "1, 7168, 2048, ROWS", // Nuclei, Sec. IV-E 2
    "1, 128, 4096, COLUMNS",
    "1, 1, 65536, COLUMNS",
    "4, 1024, 2048, ROWS",
    "1, 64, 100, ROWS",
    "20, 8, 100, GENERATIONS",
  })
  void theShapeDecides(long count, int m, int k, Split split) {
    assertThat(SplitRule.BY_SHAPE.split(ALL, count, m, k)).isEqualTo(split);
  }

  @Test
  void aSplitIsUsedOnlyIfPossible() {
    Set<Split> resident = EnumSet.of(Split.GENERATIONS, Split.ROWS);
    assertThat(SplitRule.BY_SHAPE.split(resident, 1, 128, 4096)).isEqualTo(Split.ROWS);
    SplitRule columns = new SplitRule(Optional.of(Split.COLUMNS), Optional.empty());
    assertThat(columns.split(ALL, 1024, 7168, 128)).isEqualTo(Split.COLUMNS);
    assertThat(columns.split(resident, 1024, 7168, 128)).isEqualTo(Split.GENERATIONS);
  }

  @Test
  void smallJobsAreOneGranuleUnlessForced() {
    SplitRule rows = new SplitRule(Optional.of(Split.ROWS), Optional.empty());
    assertThat(SplitRule.BY_SHAPE.granule(Split.ROWS, 128, 1e6)).isEqualTo(128);
    assertThat(rows.granule(Split.ROWS, 128, 1e6)).isEqualTo(4);
    assertThat(SplitRule.BY_SHAPE.granule(Split.ROWS, 128, 1e9)).isEqualTo(4);
    assertThat(SplitRule.BY_SHAPE.granule(Split.ROWS, 7168, 1e9)).isEqualTo(32);
    assertThat(SplitRule.BY_SHAPE.granule(Split.COLUMNS, 4096, 1e9)).isEqualTo(128);
    assertThat(SplitRule.BY_SHAPE.granule(Split.GENERATIONS, 0, 0)).isEqualTo(1);
  }
}
