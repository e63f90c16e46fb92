package io.fieldstone.bench.nuclei;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Report;
import java.util.List;

/**
 * Runs {@code bench nuclei}: repeats the measurements of Shojania, Li and Wang, "Nuclei:
 * GPU-accelerated many-core network coding" (INFOCOM 2009), Sec. IV and V.
 */
public final class NucleiBenchmark {

  private NucleiBenchmark() {}

  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      List<Section> sections =
          List.of(
              new NucleiKernels(engines),
              new NucleiMixed(engines),
              new NucleiCoefficients(engines),
              new NucleiDecoding(engines),
              new NucleiBandwidth(engines, options.pace()),
              new NucleiTables(engines),
              new NucleiClients(engines));
      Heading heading =
          new Heading(
              "nuclei",
              "Nuclei (INFOCOM 2009), measured here",
              List.of(
                  "H. Shojania, B. Li, X. Wang, \"Nuclei: GPU-accelerated many-core network"
                      + " coding\", IEEE INFOCOM 2009. The tables show the figures of the paper"
                      + " beside those measured here. 1 MB is 10^6 bytes, which is assumed for the"
                      + " paper too.",
                  "Cores: \"" + engines.coresSpec() + "\". Best of the samples.",
                  engines.gpuDescription()));
      return Section.report(options, heading, sections);
    }
  }
}
