package io.fieldstone.bench.jwd;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Report;
import java.util.List;

/**
 * Runs {@code bench jwd}: makes the joint weight distribution of the code of JWD, Table 1, by every
 * method, and those of larger codes.
 */
public final class JwdBenchmark {

  /** The names of the sections, in the order in which they run. */
  public static final List<String> SECTIONS = List.of("table-1", "codes");

  private JwdBenchmark() {}

  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      JwdRun jwdRun = new JwdRun(engines, options.pace());
      List<Section> sections =
          options.chosen(SECTIONS).stream().map(name -> section(name, jwdRun)).toList();
      Heading heading =
          new Heading(
              "jwd",
              "Joint weight distributions, and JWD measured here",
              List.of(
                  "JWD: the paper (in Japanese) on joint weight distributions of binary linear"
                      + " codes on GPUs with histograms in shared memory; its Table 1.",
                  "Cores: \"" + engines.coresSpec() + "\".",
                  engines.gpuDescription()));
      return Section.report(options, heading, sections);
    }
  }

  private static Section section(String name, JwdRun jwdRun) {
    return switch (name) {
      case "table-1" -> new JwdMethods(jwdRun);
      case "codes" -> new JwdCodes(jwdRun);
      default -> throw new IllegalArgumentException("no section '%s'".formatted(name));
    };
  }
}
