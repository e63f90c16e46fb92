package io.fieldstone.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.memory.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PhaseCsvTest {

  private static final String HEADING = "track,name,start ns,end ns,bytes\n";

  @Test
  void phasesAreReadAsTheyWereWrittenAtTimesSince1970() {
    long before = PhaseCsv.now();
    long start = System.nanoTime();
    Phase phase = new Phase("thread 1", "read", start, start + 500, 7);
    String csv = PhaseCsv.of(List.of(phase, phase));

    assertThat(csv).startsWith(HEADING);
    List<Phase> read = PhaseCsv.parse(csv);
    assertThat(read).hasSize(2);
    long shift = read.getFirst().startNs() - start;
    assertThat(read)
        .containsOnly(new Phase("thread 1", "read", start + shift, start + 500 + shift, 7));
    // The clocks may drift apart by less than this while the test runs.
    assertThat(read.getFirst().startNs() - before).isBetween(-1_000_000_000L, 60_000_000_000L);
  }

  @Test
  void noPhasesAreAHeading() {
    assertThat(PhaseCsv.of(List.of())).isEqualTo(HEADING);
    assertThat(PhaseCsv.parse(HEADING)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a,b,1,2",
        "a,b,1,2,3,4",
        "a,b,2,1,3",
        "a,b,1,2,-3",
        "a,b,1,2,x",
        "",
        "a,b,9999999999999999999,2,3"
      })
  void otherLinesAreRefused(String line) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PhaseCsv.parse(HEADING + "a,b,1,2,3\n" + line + "\n"))
        .withMessage("line 3 of phases is '" + line + "'");
  }

  @Test
  void otherTextIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PhaseCsv.parse("no phases"))
        .withMessageStartingWith("phases do not begin with 'track,");
  }
}
