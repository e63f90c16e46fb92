package io.fieldstone.bench;

import java.util.List;

/**
 * {@code bench nuclei}: the measurements of Shojania, Li and Wang, "Nuclei: GPU-accelerated
 * many-core network coding" (INFOCOM 2009), Sec. IV and V.
 */
final class NucleiBenchmark {

  private NucleiBenchmark() {}

  static Report run(BenchOptions options) {
    try (Lineup lineup = new Lineup(options)) {
      List<Section> sections =
          List.of(
              new NucleiKernels(lineup),
              new NucleiMixed(lineup),
              new NucleiCoefficients(lineup),
              new NucleiDecoding(lineup),
              new NucleiBandwidth(lineup, options.pace()),
              new NucleiTables(lineup),
              new NucleiClients(lineup));
      Heading heading =
          new Heading(
              "nuclei",
              "Nuclei (INFOCOM 2009), measured here",
              List.of(
                  "H. Shojania, B. Li, X. Wang, \"Nuclei: GPU-accelerated many-core network"
                      + " coding\", IEEE INFOCOM 2009. The paper's figures beside ours. The paper's"
                      + " MB are taken as 10^6 bytes, as ours are.",
                  "Cores: \"" + lineup.coresSpec() + "\". Best of the samples.",
                  lineup.gpuInWords()));
      return Section.report(options, heading, sections);
    }
  }
}
