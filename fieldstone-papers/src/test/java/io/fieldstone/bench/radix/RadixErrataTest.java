package io.fieldstone.bench.radix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checks of docs/errata.md on the radix sort paper, IV-B, by its own tables. */
class RadixErrataTest {

  /** "The time required to output data can be reduced to 6% (speedup is 16)": 8.0% and 12.5. */
  @Test
  void theOutputLeftByTheOverlap() {
    double output = profile(2).download().modified();
    double shown = output - profile(2).overlap().modified();
    assertThat(shown / output).isCloseTo(0.080, within(0.0005));
    assertThat(output / shown).isCloseTo(12.5, within(0.05));
  }

  /** "Decreases computation time by 20% and 25%": 17.7% and 24.2%; the ratio of 25% is 1.32. */
  @Test
  void theReductionsOfTableOne() {
    assertThat(reduction(10_000_000)).isCloseTo(0.177, within(0.0005));
    assertThat(reduction(100_000_000)).isCloseTo(0.242, within(0.0005));
    assertThat(1 / (1 - reduction(100_000_000))).isCloseTo(1.32, within(0.005));
  }

  /** The rows of Tables II and III add up to their totals, if the overlap is subtracted. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void theProfilesAddUp(int table) {
    RadixPaper.Profile profile = profile(table);
    RadixPaper.Operation sum =
        Stream.of(
                profile.reduction(),
                profile.spine(),
                profile.scatter(),
                profile.upload(),
                profile.download(),
                profile.balance())
            .reduce(RadixPaper.Operation::plus)
            .orElseThrow();
    double original = sum.original() - profile.overlap().original();
    double modified = sum.modified() - profile.overlap().modified();
    assertThat(original).isCloseTo(profile.total().original(), within(0.02));
    assertThat(modified).isCloseTo(profile.total().modified(), within(0.02));
  }

  /** "Data output consumes about one third of the entire time": 28%. */
  @Test
  void theShareOfTheOutput() {
    RadixPaper.Profile profile = profile(2);
    double output = profile.download().original();
    assertThat(output / profile.total().original()).isCloseTo(0.28, within(0.005));
  }

  private static double reduction(long keys) {
    RadixPaper.Time time =
        RadixPaper.TABLE_I.stream().filter(row -> row.keys() == keys).findFirst().orElseThrow();
    return 1 - time.modified() / time.original();
  }

  private static RadixPaper.Profile profile(int table) {
    return RadixPaper.PROFILES.stream()
        .filter(profile -> profile.table() == table)
        .findFirst()
        .orElseThrow();
  }
}
