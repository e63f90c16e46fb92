package io.fieldstone.bench;

import io.fieldstone.bench.files.FilesBenchmark;
import io.fieldstone.bench.gpu.GpuBenchmark;
import io.fieldstone.bench.net.NetBenchmark;
import java.util.List;

/** Provides the benchmarks of this machine: its ceilings, and jobs beside their peers. */
public final class MachineBenchmarks implements BenchmarkProvider {

  /** For the service loader. */
  public MachineBenchmarks() {}

  @Override
  public List<Benchmark> benchmarks() {
    return List.of(
        new Benchmark(
            "ceilings",
            "the ceilings of this machine: memory, lane shuffles, checksums, GPUs",
            Ceilings::run),
        new Benchmark(
            "cpu",
            "network coding on the cores: against scalar, the lane-shuffle ceiling and peers",
            CpuBenchmark::run),
        new Benchmark(
            Benchmark.FILES,
            "files to shards and back, against products in memory; commands, against the file"
                + " system",
            FilesBenchmark::run),
        new Benchmark(
            "gpu",
            "network coding on a GPU: resident, to the host, batches; against ceilings and all"
                + " cores",
            GpuBenchmark::run),
        new Benchmark(
            Benchmark.NET,
            "files over impaired links, beside TCP, kcptun, uftp and aria2 on the same link",
            NetBenchmark.SECTIONS,
            NetBenchmark::run));
  }
}
