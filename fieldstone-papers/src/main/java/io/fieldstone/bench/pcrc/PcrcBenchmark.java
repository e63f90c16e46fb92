package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Report;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@code bench pcrc}: repeats the measurements of De Marchi and Capogrosso, "Parallel CRC
 * algorithm and implementation with CUDA" (PCRC), Sec. VIII. It also measures every method from 64
 * bytes to 1 GiB, against the JDK and against ceilings of the same run.
 */
public final class PcrcBenchmark {

  /** The names of the sections, in the order in which they run. */
  public static final List<String> SECTIONS =
      List.of("tables", "timelines", "peers", "cores", "gpu", "bulk");

  private PcrcBenchmark() {}

  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      EngineCeilings ceilings = EngineCeilings.ofGpu(engines);
      try (PcrcRun pcrcRun = new PcrcRun(engines, ceilings, options.pace())) {
        return run(options, pcrcRun);
      }
    }
  }

  private static Report run(BenchOptions options, PcrcRun pcrcRun) {
    List<Section> sections = new ArrayList<>(List.of(pcrcRun.ceilings()));
    options.chosen(SECTIONS).forEach(name -> sections.addAll(sections(name, pcrcRun)));
    Heading heading =
        new Heading(
            "pcrc",
            "Cyclic redundancy checks, and PCRC measured here",
            List.of(
                "M. De Marchi, L. Capogrosso, \"Parallel CRC algorithm and implementation with"
                    + " CUDA\". Speed-ups are over the bitwise and the bytewise method on one core"
                    + " of this machine, as those of the paper are on its machine.",
                "N = 2^16 is taken as bits, a message of 8 KiB. The methods of the paper take an"
                    + " N-bit message, in N steps (bitwise) or N/8 (bytewise). If it were bytes,"
                    + " compare the rows of 64 KiB in the tables by length.",
                "GB/s are 10^9 bytes of message per second. Medians of the samples. Every result is"
                    + " compared with that of another method before it is measured.",
                "Cores: \"" + pcrcRun.engines().coresSpec() + "\".",
                pcrcRun.engines().gpuDescription()));
    return Section.report(options, heading, sections);
  }

  private static List<? extends Section> sections(String name, PcrcRun pcrcRun) {
    return switch (name) {
      case "tables" -> List.of(new PcrcTables(pcrcRun));
      case "timelines" -> List.of(new PcrcTimelines(pcrcRun));
      case "peers" -> List.of(new PcrcPeers(pcrcRun));
      case "cores" -> PcrcCoresByLength.ofCodes(pcrcRun);
      case "gpu" -> PcrcGpuByLength.ofCodes(pcrcRun);
      case "bulk" -> List.of(new PcrcGpuBulk(pcrcRun));
      default -> throw new IllegalArgumentException("no section '%s'".formatted(name));
    };
  }
}
