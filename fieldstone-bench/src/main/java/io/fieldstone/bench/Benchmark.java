package io.fieldstone.bench;

import io.fieldstone.bench.files.FilesBenchmark;
import io.fieldstone.bench.gpu.GpuBenchmark;
import io.fieldstone.bench.jwd.JwdBenchmark;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.net.NetBenchmark;
import io.fieldstone.bench.nuclei.NucleiBenchmark;
import io.fieldstone.bench.pcrc.PcrcBenchmark;
import io.fieldstone.bench.radix.RadixBenchmark;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.stars.StarBenchmark;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The benchmarks of {@code fieldstone bench}. */
public enum Benchmark {
  /** Rates of memory, lane shuffles and checksums. */
  CEILINGS("the ceilings of this machine: memory, lane shuffles, checksums, GPUs"),
  /**
   * Encoding, decoding and recoding on the cores, as ratios to the scalar engine, to the ceiling
   * and to peers.
   */
  CPU("network coding on the cores: against scalar, the lane-shuffle ceiling and peers"),
  /** Files to shards and back, compared with products in memory and with the file system. */
  FILES("files to shards and back, against products in memory; commands, against the file system"),
  /** The tables of Nuclei (Shojania, Li, Wang, INFOCOM 2009). */
  NUCLEI("network coding as measured in Nuclei, Sec. IV and V: loops, tables, vectors, decoding"),
  /** The figures of HPDS (Park, Baek, Lee, 2012). */
  HPDS("pipeline-code decoding as measured in HPDS, Sec. 4, Figs. 7 to 12"),
  /** A GPU against its ceilings and against all cores. */
  GPU("network coding on a GPU: resident, to the host, batches; against ceilings and all cores"),
  /** The tables of PCRC (De Marchi, Capogrosso), and checksums by every method. */
  PCRC("checksums as measured in PCRC, Tables A to F, Figs. 4 to 7, and by length"),
  /** The table of JWD, and joint weight distributions beyond it. */
  JWD("joint weight distributions: JWD's Table 1 by every method, and larger codes"),
  /** The figures of the 3-star paper, and plans of relays. */
  THREE_STAR("3-stars as measured in the paper, Figs. 9 to 11, by every method; plans of relays"),
  /** The tables of the radix sort's paper, and sorting by every method. */
  RADIX("sorting as measured in the radix paper, Figs. 3, 4, Tables I to III, and by size"),
  /** Files over impaired links, beside what else moves files. */
  NET("files over impaired links, beside TCP, kcptun, uftp and aria2 on the same link");

  private final String description;

  Benchmark(String description) {
    this.description = description;
  }

  /** Finds a benchmark by its name on the command line. */
  public static Optional<Benchmark> named(String name) {
    return Arrays.stream(values()).filter(one -> one.toString().equals(name)).findFirst();
  }

  /** Returns a description of the benchmark in one line. */
  public String description() {
    return description;
  }

  /** Returns the names of the sections that can run alone; empty if there are none. */
  public List<String> sections() {
    return switch (this) {
      case NUCLEI -> NucleiBenchmark.SECTIONS;
      case PCRC -> PcrcBenchmark.SECTIONS;
      case JWD -> JwdBenchmark.SECTIONS;
      case THREE_STAR -> StarBenchmark.SECTIONS;
      case RADIX -> RadixBenchmark.SECTIONS;
      case NET -> NetBenchmark.SECTIONS;
      case CEILINGS, CPU, FILES, HPDS, GPU -> List.of();
    };
  }

  /**
   * Runs the benchmark at the pace of {@link BenchOptions#pace}.
   *
   * @throws IllegalArgumentException if the options name an engine that is missing
   * @throws IllegalStateException if an engine gives a wrong result, or the thread is interrupted
   */
  public Report run(BenchOptions options) {
    return switch (this) {
      case CEILINGS -> Ceilings.run(options);
      case CPU -> CpuBenchmark.run(options);
      case FILES -> FilesBenchmark.run(options);
      case NUCLEI -> NucleiBenchmark.run(options);
      case HPDS -> HpdsBenchmark.run(options);
      case GPU -> GpuBenchmark.run(options);
      case PCRC -> PcrcBenchmark.run(options);
      case JWD -> JwdBenchmark.run(options);
      case THREE_STAR -> StarBenchmark.run(options);
      case RADIX -> RadixBenchmark.run(options);
      case NET -> NetBenchmark.run(options);
    };
  }

  /** Returns the name of the benchmark on the command line. */
  @Override
  public String toString() {
    return this == THREE_STAR ? "3-star" : name().toLowerCase(Locale.ROOT);
  }
}
