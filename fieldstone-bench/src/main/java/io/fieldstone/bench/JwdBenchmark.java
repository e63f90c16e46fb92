package io.fieldstone.bench;

import java.util.List;

/**
 * {@code bench jwd}: joint weight distributions of the paper's code by every method (JWD, Table 1),
 * and of larger codes.
 */
final class JwdBenchmark {

  private JwdBenchmark() {}

  static Report run(BenchOptions options) {
    try (Lineup lineup = new Lineup(options)) {
      JwdRun jwdRun = new JwdRun(lineup, options.pace());
      List<Section> sections = List.of(new JwdMethods(jwdRun), new JwdCodes(jwdRun));
      Heading heading =
          new Heading(
              "jwd",
              "Joint weight distributions, and JWD measured here",
              List.of(
                  "JWD: the paper (in Japanese) on making joint weight distributions of binary"
                      + " linear codes on GPUs with histograms in shared memory; its Table 1.",
                  "Cores: \"" + lineup.coresSpec() + "\".",
                  lineup.gpuInWords()));
      return Section.report(options, heading, sections);
    }
  }
}
