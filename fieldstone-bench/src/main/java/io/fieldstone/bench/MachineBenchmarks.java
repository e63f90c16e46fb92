package io.fieldstone.bench;

import io.fieldstone.bench.files.FilesBenchmark;
import io.fieldstone.bench.gpu.GpuBenchmark;
import io.fieldstone.bench.live.LiveBenchmark;
import io.fieldstone.bench.net.NetBenchmark;
import java.util.List;

/** Provides the benchmarks of this machine: its ceilings, and jobs beside their peers. */
public final class MachineBenchmarks implements BenchmarkProvider {

  /** For the service loader. */
  public MachineBenchmarks() {}

  /**
   * Names the benchmarks, for help and completion, without their classes: a reference to a method
   * would load one, which may need the Vector API.
   */
  @Override
  public List<Benchmark> benchmarks() {
    return List.of(
        new Benchmark(
            "ceilings",
            "the ceilings of this machine: memory, lane shuffles, checksums, GPUs",
            options -> Ceilings.run(options)),
        new Benchmark(
            "cpu",
            "network coding on the cores: against scalar, the lane-shuffle ceiling and peers",
            options -> CpuBenchmark.run(options)),
        new Benchmark(
            Benchmark.FILES,
            "files to shards and back, against products in memory; commands, against the file"
                + " system",
            options -> FilesBenchmark.run(options)),
        new Benchmark(
            "gpu",
            "network coding on a GPU: resident, to the host, batches; against ceilings and all"
                + " cores",
            options -> GpuBenchmark.run(options)),
        new Benchmark(
            Benchmark.NET,
            "files over impaired links, beside TCP, kcptun, uftp and aria2 on the same link",
            () -> NetBenchmark.SECTIONS,
            options -> NetBenchmark.run(options)),
        new Benchmark(
            "live",
            "codes over sliding windows: packets on one core; delays beside generations and ARQ",
            () -> LiveBenchmark.SECTIONS,
            options -> LiveBenchmark.run(options)));
  }
}
