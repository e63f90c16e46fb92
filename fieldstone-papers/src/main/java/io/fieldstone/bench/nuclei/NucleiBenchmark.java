package io.fieldstone.bench.nuclei;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Report;
import java.util.List;

/**
 * Runs {@code bench nuclei}: repeats the measurements of Shojania, Li and Wang, "Nuclei:
 * GPU-accelerated many-core network coding" (INFOCOM 2009), Sec. IV and V.
 */
public final class NucleiBenchmark {

  /** The names of the sections, in the order in which they run. */
  public static final List<String> SECTIONS =
      List.of(
          "kernels",
          "mixed",
          "coefficients",
          "decoding",
          "figure-5a",
          "figure-5b",
          "figure-7",
          "background",
          "clients");

  private NucleiBenchmark() {}

  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      List<Section> sections =
          options.chosen(SECTIONS).stream()
              .map(name -> section(name, engines, options.pace()))
              .toList();
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

  private static Section section(String name, BenchEngines engines, Pace pace) {
    return switch (name) {
      case "kernels" -> new NucleiKernels(engines);
      case "mixed" -> new NucleiMixed(engines);
      case "coefficients" -> new NucleiCoefficients(engines);
      case "decoding" -> new NucleiDecoding(engines);
      case "figure-5a" -> new NucleiEncodingRates(engines, pace);
      case "figure-5b" -> new NucleiDecodingRates(engines, pace);
      case "figure-7" -> new NucleiTables(engines);
      case "background" -> new NucleiBackground(engines);
      case "clients" -> new NucleiClients(engines);
      default -> throw new IllegalArgumentException("no section '%s'".formatted(name));
    };
  }
}
