package io.fieldstone.cli.codes;

import io.fieldstone.cli.console.Failure;
import io.fieldstone.cli.console.Progress;
import io.fieldstone.cli.console.Session;
import io.fieldstone.cli.console.Units;
import io.fieldstone.engine.Engine;
import io.fieldstone.weights.distance.CosetWeights;
import java.util.List;
import java.util.stream.IntStream;

/** Counts the cosets of a code by their least weight. */
final class CosetRun {

  private static final int STEPS = 1000;

  /** The rest of the program keeps at least the heap divided by this number. */
  private static final int HEAP_SHARE = 4;

  private final Session session;
  private final Side side;

  CosetRun(Session session, Side side) {
    this.session = session;
    this.side = side;
  }

  /**
   * The memory, the time and the lower bound of the radius that {@code --plan} prints, also as
   * JSON.
   */
  private record Plan(
      int length,
      int dimension,
      int checks,
      long memoryBytes,
      double predictedSeconds,
      int leastRadius) {}

  private record Weight(int weight, long count) {}

  /** The result as {@code --json} prints it. */
  private record Cosets(int length, int dimension, int coveringRadius, List<Weight> cosets) {}

  /**
   * Counts cosets, or prints the memory and the time that this takes.
   *
   * @throws Failure if the code has too many cosets, or the heap is too small
   */
  void run(boolean isPlan) throws Failure {
    CosetWeights cosets;
    try (Engine engine = session.openCores()) {
      cosets = CosetWeights.of(side.space(), engine.threads());
    } catch (IllegalArgumentException e) {
      throw new Failure(String.valueOf(e.getMessage()), side.code() + " code", e);
    }
    if (isPlan) {
      Plan plan =
          new Plan(
              side.length(),
              side.dimension(),
              cosets.checks(),
              cosets.bytes(),
              cosets.predictedSeconds(),
              cosets.leastRadius());
      session.printResult(
          plan,
          () ->
              "2^%d cosets, %s of memory, predicted %s; the covering radius is at least %d%n"
                  .formatted(
                      plan.checks(),
                      Units.bytes(plan.memoryBytes()),
                      Units.duration((long) (plan.predictedSeconds() * 1e9)),
                      plan.leastRadius()));
    } else {
      requireMemory(cosets, Runtime.getRuntime().maxMemory());
      count(cosets);
    }
  }

  /**
   * Checks that the cosets leave a part of the heap to the rest of the program.
   *
   * @param heap bytes
   */
  static void requireMemory(CosetWeights cosets, long heap) throws Failure {
    if (cosets.bytes() > heap - heap / HEAP_SHARE) {
      throw new Failure(
          "2^%d cosets take %s, but the JVM has %s of heap"
              .formatted(cosets.checks(), Units.bytes(cosets.bytes()), Units.bytes(heap)),
          "set FIELDSTONE_JAVA_OPTS=-Xmx… for more");
    }
  }

  private void count(CosetWeights cosets) {
    List<Long> counts;
    try (Progress.Steps steps = session.steps("syndromes")) {
      counts =
          cosets.counts((weight, share) ->
              steps.begin("covering radius ≥ " + weight, (int) (share * STEPS), STEPS));
    }
    int radius = counts.size() - 1;
    session.inform("%s code: covering radius %d".formatted(side.code(), radius));
    Cosets result =
        new Cosets(
            side.length(),
            side.dimension(),
            radius,
            IntStream.range(0, counts.size())
                .mapToObj(weight -> new Weight(weight, counts.get(weight)))
                .toList());
    session.printResult(
        result,
        () -> {
          StringBuilder csv = new StringBuilder("weight,cosets\n");
          result
              .cosets()
              .forEach(
                  each -> csv.append(each.weight()).append(',').append(each.count()).append('\n'));
          return csv.toString();
        });
  }
}
