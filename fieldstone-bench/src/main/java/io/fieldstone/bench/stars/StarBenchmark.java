package io.fieldstone.bench.stars;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Report;
import java.util.List;

/**
 * Runs {@code bench 3-star}: repeats the search for 3-stars of Lee and others, "GPU performance
 * enhancement via communication cost reduction", Sec. IV-C, and makes plans of relays.
 */
public final class StarBenchmark {

  private StarBenchmark() {}

  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      StarRun starRun = new StarRun(engines, options.pace());
      List<Section> sections =
          List.of(
              new StarThreads(starRun),
              new StarPlans(starRun),
              new StarCounts(starRun),
              new StarTimes(starRun, StarWork.COUNT),
              new StarTimes(starRun, StarWork.LIST),
              new StarRatios(starRun),
              new StarPhases(starRun));
      Heading heading =
          new Heading(
              "3-star",
              "3-stars and relays, and the paper's search measured here",
              List.of(
                  "C.-R. Lee, S.-H. Lo, N.-H. Chen, Y.-C. Chung, I-H. Chung, \"GPU performance"
                      + " enhancement via communication cost reduction: case studies of radix sort"
                      + " and WSN relay node placement problem\", Sec. IV-C, Figs. 9 to 11. A"
                      + " 3-star is three sensors at pairwise distances above R whose circumcircle"
                      + " has a radius of at most R.",
                  "Every method must find the same 3-stars; otherwise the run ends with an error.",
                  "Cores: \"" + engines.coresSpec() + "\".",
                  engines.gpuDescription()));
      return Section.report(options, heading, sections);
    }
  }
}
