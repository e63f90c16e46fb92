package io.fieldstone.bench.gpu;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Report;
import java.util.List;

/**
 * Runs {@code bench gpu}: compares network coding on a GPU with the ceilings of that GPU, measured
 * in the same run, and with all cores.
 */
public final class GpuBenchmark {

  private GpuBenchmark() {}

  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      EngineCeilings ceilings = EngineCeilings.ofGpu(engines);
      GpuRun gpuRun = new GpuRun(engines, ceilings, options.pace());
      List<Section> sections =
          List.of(
              ceilings,
              new GpuTogether(gpuRun),
              new GpuEncoding(gpuRun),
              new GpuDecoding(gpuRun),
              new GpuHostToHost(gpuRun),
              new GpuPipeline(gpuRun),
              new GpuArrivals(gpuRun),
              new GpuKernels(gpuRun),
              new GpuAgainstCores(gpuRun));
      Heading heading =
          new Heading(
              "gpu",
              "Network coding on a GPU",
              List.of(
                  "GF-MAC: one multiply-accumulate in GF(2^8) on one byte; (n, k) is n source"
                      + " blocks of k bytes. GB/s are 10^9 coded (or decoded) bytes per second."
                      + " Every call is waited for. Medians of the samples.",
                  engines.gpuDescription(),
                  "Cores: \""
                      + engines.coresSpec()
                      + "\", %d threads.".formatted(options.threads())));
      return Section.report(options, heading, sections);
    }
  }
}
