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
 * {@code bench radix}: the measurements of radix sort of Lee, Lo, Chen, Chung and Chung, Sec. IV-B;
 * and sorting by every method, by number and distribution of keys, against the JDK's and
 * fastutil's.
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
                    + " deviation of a sixteenth of it; sorted; reverse; 16 keys anywhere; zipf,"
                    + " the k-th of as many keys as records with a probability of 1/k or so. i32"
                    + " and u64 are keys alone, i32+4 keys with payloads of 32 bits, sorted"
                    + " stably.",
                "Each run has its records unsorted again, which is not measured. Before it is"
                    + " measured each result is found to be in order, and to be the same records by"
                    + " their fingerprint.",
                "Arrays.parallelSort and fastutil's parallelRadixSort are given as many workers as"
                    + " the cores have threads; u64 keys are below 2^63 for their sake.",
                "Cores: \"" + radixRun.engines().coresSpec() + "\".",
                radixRun.engines().gpuDescription()));
    return Section.report(options, heading, sections);
  }
}
