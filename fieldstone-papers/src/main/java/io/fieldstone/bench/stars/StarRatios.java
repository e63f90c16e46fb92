package io.fieldstone.bench.stars;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Compares the speed-ups that Sec. IV-C states for the largest field with the times of Fig. 10. */
final class StarRatios implements Section {

  private final StarRun starRun;

  StarRatios(StarRun starRun) {
    this.starRun = starRun;
  }

  @Override
  public int steps() {
    return 0;
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "methods",
            "All 3-stars of %,d sensors, listed".formatted(starRun.maxSensors()),
            "method",
            "s",
            "× sequential",
            "× baseline",
            "bytes per star");
    for (StarPaper.Variant variant : StarPaper.VARIANTS) {
      table.row(
          Cell.of("the paper's " + variant.name()),
          Cell.empty(),
          variant.overSequential(),
          Cell.of(variant.overBaseline()),
          Cell.empty());
    }
    OptionalDouble sequential = seconds(StarPaper.SEQUENTIAL);
    OptionalDouble baseline = seconds(StarPaper.BASELINE);
    double stars = starRun.stars(starRun.maxSensors());
    for (StarRun.EngineMethod line : starRun.methods()) {
      Optional<StarTrial> trial = starRun.trial(line, StarWork.LIST, starRun.maxSensors());
      OptionalDouble seconds = seconds(trial);
      table.row(
          Cell.of(line.name()),
          Cell.of(seconds),
          Cell.ratio(sequential, seconds),
          Cell.ratio(baseline, seconds),
          trial.map(one -> Cell.of(one.wholeResult() / stars)).orElse(Cell.empty()));
    }
    return List.of(
        table
            .note(
                "Bytes per star of the delivered form: three indices, or one bit for each pair of"
                    + " candidates and the candidates. The sequential code of the paper ran on an"
                    + " i7-920, its GPU was a Tesla C2050.")
            .build());
  }

  /** Returns the seconds of a method on the first engine that has it. */
  private OptionalDouble seconds(String method) {
    return seconds(
        starRun.methods().stream()
            .filter(line -> line.method().equals(method))
            .findFirst()
            .flatMap(line -> starRun.trial(line, StarWork.LIST, starRun.maxSensors())));
  }

  private static OptionalDouble seconds(Optional<StarTrial> trial) {
    return trial.isPresent() ? OptionalDouble.of(trial.get().seconds()) : OptionalDouble.empty();
  }
}
