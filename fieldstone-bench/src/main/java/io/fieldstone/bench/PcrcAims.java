package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** What is aimed at on the cores, measured at full length. */
final class PcrcAims implements Section {

  /** More than any cache, for two threads. */
  static final long LARGE = 256L << 20;

  /** In cache, and far longer than what a call costs. */
  private static final long MIDDLE = 1 << 20;

  /** A short message. */
  private static final long SHORT = 64;

  private static final List<PcrcCode> LARGE_CODES =
      List.of(PcrcCode.CRC_32, PcrcCode.CRC_32_ZIP, PcrcCode.CRC_64);

  private static final String JDK = "java.util.zip";
  private static final String SLICING = "slicing-16";
  private static final String VECTOR = "vector";
  private static final String BYTEWISE = "bytewise";
  private static final String ONE = "one thread";
  private static final String TWO = "two threads";
  private static final String UNIT = "GB/s";

  private static final double OF_JDK = 0.95;
  private static final double OVER_SLICING = 6;
  private static final double WIDE_OVER_SLICING = 3;
  private static final double OF_TWO_THREADS = 1.7;

  private final PcrcRun pcrcRun;

  PcrcAims(PcrcRun pcrcRun) {
    this.pcrcRun = pcrcRun;
  }

  @Override
  public int steps() {
    return 2 * PcrcCode.values().length + LARGE_CODES.size();
  }

  @Override
  public List<Part> measure(Run run) {
    for (PcrcCode code : PcrcCode.values()) {
      middle(run, code);
    }
    for (PcrcCode code : LARGE_CODES) {
      large(run, code);
    }
    small(run);
    return List.of();
  }

  private void middle(Run run, PcrcCode code) {
    Results results = results(run, code, MIDDLE, VECTOR, SLICING, DivisionLoad.AUTO);
    if (code.reference().isPresent()) {
      goal("auto, 1 MiB, " + code, results, DivisionLoad.AUTO, JDK, OF_JDK);
    } else {
      double aim = code.width() > Integer.SIZE ? WIDE_OVER_SLICING : OVER_SLICING;
      goal("vector, 1 MiB, " + code, results, VECTOR, SLICING, aim);
    }
  }

  private void large(Run run, PcrcCode code) {
    Lineup lineup = pcrcRun.lineup();
    Engine two = lineup.open(lineup.coresSpec(), 2);
    DivisionLoad load = load(code, LARGE);
    Results results =
        run.results(
            "two threads, " + code,
            Stream.of(
                    load.inMemory(ONE, lineup.oneCore(), DivisionLoad.AUTO),
                    load.inMemory(TWO, two, DivisionLoad.AUTO))
                .flatMap(Optional::stream)
                .toList());
    goal("auto, 256 MiB, two threads, " + code, results, TWO, ONE, OF_TWO_THREADS);
  }

  /** Of all codes, the one that gains least. */
  private void small(Run run) {
    Optional<Goals.Goal> worst = Optional.empty();
    for (PcrcCode code : PcrcCode.values()) {
      Results results = results(run, code, SHORT, BYTEWISE, DivisionLoad.AUTO);
      Goals.Goal goal =
          ratio(
              "auto, 64 bytes, the code that gains least: " + code,
              results,
              DivisionLoad.AUTO,
              BYTEWISE,
              1);
      if (worst.isEmpty() || isLess(goal.ratio(), worst.get().ratio())) {
        worst = Optional.of(goal);
      }
    }
    worst.ifPresent(pcrcRun.goals()::add);
  }

  private static boolean isLess(OptionalDouble one, OptionalDouble other) {
    return one.orElse(Double.POSITIVE_INFINITY) < other.orElse(Double.POSITIVE_INFINITY);
  }

  private Results results(Run run, PcrcCode code, long bytes, String... methods) {
    DivisionLoad load = load(code, bytes);
    Engine core = pcrcRun.lineup().oneCore();
    List<Candidate> candidates = new ArrayList<>();
    for (String method : methods) {
      load.inMemory(method, core, method).ifPresent(candidates::add);
    }
    load.reference(JDK).ifPresent(candidates::add);
    return run.results("%s, %d bytes, one core".formatted(code, bytes), candidates);
  }

  private DivisionLoad load(PcrcCode code, long bytes) {
    return new DivisionLoad(code, pcrcRun.lineup().oneCore(), pcrcRun.message(bytes));
  }

  private void goal(String what, Results results, String reached, String other, double aim) {
    pcrcRun.goals().add(ratio(what, results, reached, other, aim));
  }

  private static Goals.Goal ratio(
      String what, Results results, String reached, String other, double aim) {
    return Goals.Goal.ratio(
        what,
        UNIT,
        results.of(reached, Measurement::medianRate),
        other,
        results.of(other, Measurement::medianRate),
        aim);
  }
}
