package io.fieldstone.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Lists figures beside their goals. */
@Execution(ExecutionMode.CONCURRENT)
class GoalsTest {

  private static final Run RUN =
      new Run(BenchOptions.DEFAULT, new Heading("net", "", List.of()), 0);

  @Test
  void saysWhetherAFigureIsWithinItsBounds() {
    Goals goals = new Goals();
    goals.atLeast(7, "share", 0.78, 0.5, "Beside.");
    goals.atLeast(7, "share", 0.78, 0.78, "Beside.");
    goals.atMost(3, "delay", 10, 10.5, "");
    goals.atMost(3, "delay", 10, 10, "");
    goals.between(3, "ratio", 0.3, 3, 0.2, "");
    goals.between(3, "ratio", 0.3, 3, 3, "");

    Table table = (Table) goals.measure(RUN).getFirst();

    assertThat(table.rows().stream().map(row -> row.stream().map(Cell::text).toList()))
        .containsExactly(
            List.of("3", "delay", "at most 10", "10.5", "no", ""),
            List.of("3", "delay", "at most 10", "10", "yes", ""),
            List.of("3", "ratio", "0.300 to 3", "0.200", "no", ""),
            List.of("3", "ratio", "0.300 to 3", "3", "yes", ""),
            List.of("7", "share", "at least 0.780", "0.500", "no", "Beside."),
            List.of("7", "share", "at least 0.780", "0.780", "yes", "Beside."));
  }

  @Test
  void aSectionWithoutGoalsHasNoTable() {
    List<Part> parts = new Goals().measure(RUN);
    assertThat(parts).isEmpty();
  }

  @Test
  void theBestOtherProgramIsNamed() {
    Map<String, Double> others =
        Map.of("Fieldstone, --cc cubic", 50.0, "uftp", 20.0, "kcptun", 30.0);
    assertThat(Goals.beside(40, others, "Mbit/s")).isEqualTo("kcptun is next with 30 Mbit/s.");
    assertThat(Goals.beside(25, others, "Mbit/s")).isEqualTo("kcptun wins with 30 Mbit/s.");
    assertThat(Goals.beside(25, Map.of("Fieldstone", 25.0), "Mbit/s")).isEmpty();
  }
}
