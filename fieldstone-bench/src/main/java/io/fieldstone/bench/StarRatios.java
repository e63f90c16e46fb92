package io.fieldstone.bench;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What Sec. IV-C says of the largest field in words, beside what was measured for Fig. 10. */
final class StarRatios implements Section {

  private static final String SECONDS = "s";
  private static final String MILLIS = "ms";
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double COUNT_MILLIS = 20;
  private static final double LIST_MILLIS = 60;

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
            "All 3-stars of %,d sensors, listed".formatted(starRun.most()),
            "method",
            SECONDS,
            "times sequential",
            "bytes a star",
            "paper: times sequential",
            "paper: times baseline");
    for (StarPaper.Variant variant : StarPaper.VARIANTS) {
      table.row(
          Cell.of("the paper's " + variant.name()),
          Cell.empty(),
          Cell.empty(),
          Cell.empty(),
          variant.overSequential(),
          Cell.of(variant.overBaseline()));
    }
    OptionalDouble sequential = seconds(StarPaper.SEQUENTIAL, StarWork.LIST);
    double stars = starRun.stars(starRun.most());
    for (StarRun.Line line : starRun.lines()) {
      Optional<StarTrial> trial = starRun.trial(line, StarWork.LIST, starRun.most());
      OptionalDouble seconds = seconds(trial);
      table.row(
          Cell.of(line.name()),
          Cell.of(seconds),
          Cell.of(ratio(sequential, seconds)),
          trial.map(one -> Cell.of(one.wholeResult() / stars)).orElse(Cell.empty()),
          Cell.empty(),
          Cell.empty());
    }
    goals();
    return List.of(
        table
            .note(
                "Bytes a star are those of what is handed over: three indices, or one bit for each"
                    + " pair of candidates and the candidates. The paper's sequential code ran on"
                    + " an i7-920, its GPU was a Tesla C2050.")
            .build());
  }

  private void goals() {
    starRun
        .lineup()
        .gpu()
        .ifPresent(gpu -> {
          String fastest = starRun.fastest(gpu);
          for (StarRun.Line line : starRun.lines()) {
            if (line.engine().equals(gpu) && line.method().equals(fastest)) {
              starRun.goals().add(aim(line, StarWork.COUNT, COUNT_MILLIS));
              starRun.goals().add(aim(line, StarWork.LIST, LIST_MILLIS));
            }
          }
          for (StarPaper.Variant variant : StarPaper.VARIANTS) {
            OptionalDouble baseline = rate(StarPaper.BASELINE);
            OptionalDouble rate = rate(variant.name());
            if (variant.overBaseline() > 1 && rate.isPresent()) {
              starRun
                  .goals()
                  .add(
                      Goals.Goal.ratio(
                          "%s, %,d sensors listed".formatted(variant.name(), starRun.most()),
                          "searches/s",
                          rate,
                          StarPaper.BASELINE,
                          baseline,
                          variant.overBaseline()));
            }
          }
        });
  }

  private Goals.Goal aim(StarRun.Line line, StarWork work, double most) {
    OptionalDouble seconds = seconds(starRun.trial(line, work, starRun.most()));
    return Goals.Goal.time(
        "%s, %,d sensors %s".formatted(line.name(), starRun.most(), work.done()),
        MILLIS,
        seconds.isPresent()
            ? OptionalDouble.of(MILLIS_PER_SECOND * seconds.getAsDouble())
            : seconds,
        most);
  }

  private OptionalDouble rate(String method) {
    OptionalDouble seconds = seconds(method, StarWork.LIST);
    return seconds.isPresent() ? OptionalDouble.of(1 / seconds.getAsDouble()) : seconds;
  }

  /** Of the first engine that has a method. */
  private OptionalDouble seconds(String method, StarWork work) {
    return seconds(
        starRun.lines().stream()
            .filter(line -> line.method().equals(method))
            .findFirst()
            .flatMap(line -> starRun.trial(line, work, starRun.most())));
  }

  private static OptionalDouble seconds(Optional<StarTrial> trial) {
    return trial.isPresent() ? OptionalDouble.of(trial.get().seconds()) : OptionalDouble.empty();
  }

  private static OptionalDouble ratio(OptionalDouble one, OptionalDouble other) {
    return one.isPresent() && other.isPresent()
        ? OptionalDouble.of(one.getAsDouble() / other.getAsDouble())
        : OptionalDouble.empty();
  }
}
