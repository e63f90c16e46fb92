package io.fieldstone.bench;

import java.util.List;

/**
 * {@code bench gpu}: network coding on a GPU against its own ceilings, measured in the same run,
 * and against all cores of the machine.
 */
final class GpuBenchmark {

  private GpuBenchmark() {}

  static Report run(BenchOptions options) {
    try (Lineup lineup = new Lineup(options)) {
      Limits limits = Limits.ofGpu(lineup);
      GpuRun gpuRun = new GpuRun(lineup, limits, options.pace());
      List<Section> sections =
          List.of(
              limits,
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
                      + " blocks of k bytes. GB/s are 10^9 coded (or decoded) bytes a second. Every"
                      + " call is waited for; medians of the samples.",
                  lineup.gpuInWords(),
                  "Cores: \""
                      + lineup.coresSpec()
                      + "\", %d threads.".formatted(options.threads())));
      return Section.report(options, heading, sections);
    }
  }
}
