package io.fieldstone.bench.radix;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Report;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@code bench radix}: repeats the measurements of radix sort of Lee, Lo, Chen, Chung and
 * Chung, Sec. IV-B. It also sorts by every method, by number and distribution of keys, against the
 * JDK and fastutil.
 */
public final class RadixBenchmark {

  private static final String ON_GPU = "gpu";
  private static final String TABLE = "table-1";

  /** The names of the sections, in the order in which they run. */
  public static final List<String> SECTIONS =
      List.of(ON_GPU, "resident", "shares", "profiles", "threads", "cores", TABLE);

  private RadixBenchmark() {}

  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      EngineCeilings ceilings = EngineCeilings.ofGpu(engines);
      List<String> chosen = options.chosen(SECTIONS);
      try (RadixRun radixRun =
          new RadixRun(engines, ceilings, options.pace(), chosen.contains(ON_GPU))) {
        List<Section> sections = new ArrayList<>(List.of(ceilings));
        if (chosen.equals(List.of(TABLE))) {
          sections.addAll(RadixOnGpu.ofTable(radixRun));
          sections.add(RadixOnCores.ofTable(radixRun));
        }
        chosen.forEach(name -> sections.addAll(sections(name, radixRun)));
        return run(options, radixRun, sections);
      }
    }
  }

  private static List<? extends Section> sections(String name, RadixRun radixRun) {
    return switch (name) {
      case ON_GPU -> RadixOnGpu.ofFormats(radixRun);
      case "resident" -> List.of(new RadixResident(radixRun));
      case "shares" -> List.of(new RadixShares(radixRun));
      case "profiles" -> RadixPhases.ofPaper(radixRun);
      case "threads" -> List.of(new RadixThreads(radixRun));
      case "cores" -> RadixOnCores.ofFormats(radixRun);
      case TABLE -> List.of(new RadixTable(radixRun));
      default -> throw new IllegalArgumentException("no section '%s'".formatted(name));
    };
  }

  private static Report run(BenchOptions options, RadixRun radixRun, List<Section> sections) {
    Heading heading =
        new Heading(
            "radix",
            "Sorting, and the radix paper's tables measured here",
            List.of(
                "C.-R. Lee, S.-H. Lo, N.-H. Chen, Y.-C. Chung, I-H. Chung, \"GPU performance"
                    + " enhancement via communication cost reduction: case studies of radix sort"
                    + " and WSN relay node placement problem\", Sec. IV-B.",
                "Keys: uniform over the whole range; normal around its middle with a standard"
                    + " deviation of a sixteenth of it; sorted; reverse; 16 keys of the range;"
                    + " zipf, as many keys as records, the k-th with a probability of about 1/k."
                    + " i32 and u64 are keys alone; i32+4 are keys with payloads of 32 bits, sorted"
                    + " stably.",
                "The records are restored before each run, which is not measured. Each method is"
                    + " checked before it is measured: its result is in order, and has the same"
                    + " records by their fingerprint.",
                "Arrays.parallelSort and fastutil's parallelRadixSort have as many workers as the"
                    + " engine has threads. Keys of u64 are below 2^63, because they sort signed"
                    + " numbers.",
                "Cores: \"" + radixRun.engines().coresSpec() + "\".",
                radixRun.engines().gpuDescription()));
    return Section.report(options, heading, sections);
  }
}
