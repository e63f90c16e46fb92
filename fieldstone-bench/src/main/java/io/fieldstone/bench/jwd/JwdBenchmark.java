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

  private JwdBenchmark() {}

  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      JwdRun jwdRun = new JwdRun(engines, options.pace());
      List<Section> sections = List.of(new JwdMethods(jwdRun), new JwdCodes(jwdRun));
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
}
