package io.fieldstone.papers;

import io.fieldstone.bench.Benchmark;
import io.fieldstone.bench.BenchmarkProvider;
import io.fieldstone.bench.hpds.HpdsBenchmark;
import io.fieldstone.bench.jwd.JwdBenchmark;
import io.fieldstone.bench.nuclei.NucleiBenchmark;
import io.fieldstone.bench.pcrc.PcrcBenchmark;
import io.fieldstone.bench.radix.RadixBenchmark;
import io.fieldstone.bench.stars.StarBenchmark;
import java.util.List;

/** Provides the benchmarks that repeat the measurements of a paper. */
public final class PaperBenchmarks implements BenchmarkProvider {

  /** For the service loader. */
  public PaperBenchmarks() {}

  @Override
  public List<Benchmark> benchmarks() {
    return List.of(
        new Benchmark(
            "nuclei",
            "network coding as measured in Nuclei, Sec. IV and V: loops, tables, vectors, decoding",
            () -> NucleiBenchmark.SECTIONS,
            options -> NucleiBenchmark.run(options)),
        new Benchmark(
            "hpds",
            "pipeline-code decoding as measured in HPDS, Sec. 4, Figs. 7 to 12",
            options -> HpdsBenchmark.run(options)),
        new Benchmark(
            "pcrc",
            "checksums as measured in PCRC, Tables A to F, Figs. 4 to 7, and by length",
            () -> PcrcBenchmark.SECTIONS,
            options -> PcrcBenchmark.run(options)),
        new Benchmark(
            "jwd",
            "joint weight distributions: JWD's Table 1 by every method, and larger codes",
            () -> JwdBenchmark.SECTIONS,
            options -> JwdBenchmark.run(options)),
        new Benchmark(
            "3-star",
            "3-stars as measured in the paper, Figs. 9 to 11, by every method; plans of relays",
            () -> StarBenchmark.SECTIONS,
            options -> StarBenchmark.run(options)),
        new Benchmark(
            "radix",
            "sorting as measured in the radix paper, Figs. 3, 4, Tables I to III, and by size",
            () -> RadixBenchmark.SECTIONS,
            options -> RadixBenchmark.run(options)));
  }
}
