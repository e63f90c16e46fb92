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

  /** The names of the sections, in the order in which they run. */
  public static final List<String> SECTIONS =
      List.of("threads", "plans", "figure-9", "figure-10-counted", "figure-10-listed", "figure-11");

  private StarBenchmark() {}

  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      StarRun starRun = new StarRun(engines, options.pace());
      List<Section> sections =
          options.chosen(SECTIONS).stream()
              .<Section>flatMap(name -> sections(name, starRun).stream())
              .toList();
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

  private static List<Section> sections(String name, StarRun starRun) {
    return switch (name) {
      case "threads" -> List.of(new StarThreads(starRun));
      case "plans" -> List.of(new StarPlans(starRun));
      case "figure-9" -> List.of(new StarCounts(starRun));
      case "figure-10-counted" -> List.of(new StarTimes(starRun, StarWork.COUNT));
      case "figure-10-listed" ->
          List.of(new StarTimes(starRun, StarWork.LIST), new StarRatios(starRun));
      case "figure-11" -> List.of(new StarPhases(starRun));
      default -> throw new IllegalArgumentException("no section '%s'".formatted(name));
    };
  }
}
