package io.fieldstone.bench.jwd;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import io.fieldstone.weights.JointPlan;
import io.fieldstone.weights.JointWeights;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Makes the distributions of codes larger than that of the paper, by the method that the engine
 * chooses, and compares their time with the prediction.
 */
final class JwdCodes implements Section {

  private static final List<String> CODES = List.of("bch:127,29", "bch:127,36", "bch:127,43");

  private final JwdRun jwdRun;
  private final List<String> codes;

  JwdCodes(JwdRun jwdRun) {
    this.jwdRun = jwdRun;
    this.codes = jwdRun.codes(CODES);
  }

  @Override
  public int steps() {
    return codes.size() * jwdRun.namedEngines().size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "codes",
            "Beyond the paper: larger codes",
            "code",
            "engine",
            "method",
            "description",
            "predicted, s",
            "measured, s",
            "pairs, 2^");
    for (String name : codes) {
      for (Map.Entry<String, Engine> engine : jwdRun.namedEngines().entrySet()) {
        table.row(row(run, name, engine.getKey(), engine.getValue()));
      }
    }
    return List.of(
        table
            .note(
                ("Predicted: the operations of the method divided by the rate of the engine,"
                     + " measured just before. Runs that are predicted to take longer than %.0f s"
                     + " are left out.")
                    .formatted(jwdRun.maxSeconds()))
            .build());
  }

  private List<Cell> row(Run run, String name, String engineName, Engine engine) {
    JointWeights weights = JwdRun.weights(name, engine);
    JointPlan plan = weights.plan(JointWeights.AUTO);
    double predicted = plan.predictedSeconds();
    OptionalDouble taken = OptionalDouble.empty();
    if (predicted < jwdRun.maxSeconds()) {
      taken =
          OptionalDouble.of(
              jwdRun.measure(run, weights.code(), engineName, plan, jwdRun.maxSeconds()).seconds());
    } else {
      run.beginStep("%s, %s: not begun".formatted(name, engineName));
    }
    return List.of(
        Cell.of(weights.code().toString()),
        Cell.of(engineName),
        Cell.of(plan.method()),
        Cell.of(plan.description()),
        Cell.of(predicted),
        Cell.of(taken),
        Cell.of(2 * weights.code().dimension()));
  }
}
