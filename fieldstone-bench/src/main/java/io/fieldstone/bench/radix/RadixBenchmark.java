package io.fieldstone.bench.radix;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Report;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Runs {@code bench radix}: repeats the measurements of radix sort of Lee, Lo, Chen, Chung and
 * Chung, Sec. IV-B. It also sorts by every method, by number and distribution of keys, against the
 * JDK and fastutil.
 */
public final class RadixBenchmark {

  private RadixBenchmark() {}

  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      EngineCeilings ceilings = EngineCeilings.ofGpu(engines);
      try (RadixRun radixRun = new RadixRun(engines, ceilings, options.pace())) {
        return run(options, radixRun);
      }
    }
  }

  private static Report run(BenchOptions options, RadixRun radixRun) {
    List<Section> sections =
        Stream.of(
                Stream.of(radixRun.ceilings()),
                RadixOnGpu.ofFormats(radixRun).stream(),
                Stream.of(new RadixResident(radixRun)),
                RadixPhases.ofPaper(radixRun).stream(),
                Stream.of(new RadixThreads(radixRun)),
                RadixOnCores.ofFormats(radixRun).stream(),
                Stream.of(new RadixTable(radixRun)))
            .<Section>flatMap(Function.identity())
            .toList();
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
