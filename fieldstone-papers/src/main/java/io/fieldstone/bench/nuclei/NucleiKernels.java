package io.fieldstone.bench.nuclei;

import static io.fieldstone.bench.coding.ProductLoad.CoefficientKind.ALL_ONES;
import static io.fieldstone.bench.coding.ProductLoad.CoefficientKind.RANDOM;
import static io.fieldstone.bench.nuclei.NucleiPaper.BLOCKS;
import static io.fieldstone.bench.nuclei.NucleiPaper.BLOCK_SIZE;
import static io.fieldstone.bench.nuclei.NucleiPaper.CODED_BLOCKS;
import static io.fieldstone.bench.nuclei.NucleiPaper.CPU;
import static io.fieldstone.bench.nuclei.NucleiPaper.GPU;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.coding.ProductLoad;
import io.fieldstone.bench.coding.ProductLoad.CoefficientKind;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures Sec. IV-B to IV-E: the kernels on the cores and on the GPU. */
final class NucleiKernels implements Section {

  private static final String ONE = "1 thread";
  private static final String ALL = "all threads";
  private static final String RESIDENT = "GPU, results resident";
  private static final String DRAWN = "GPU, coefficients drawn, results resident";
  private static final String TO_HOST = "GPU, results to the host";
  private static final List<String> CANDIDATES = List.of(ONE, ALL, RESIDENT, DRAWN, TO_HOST);

  /** The minimum number of coded blocks of a product that its rows divide among threads. */
  private static final int BLOCKS_PER_THREAD = 8;

  /** The name of the engine itself, not of a variant. */
  private static final String BEST = "";

  /**
   * A time that the paper states.
   *
   * @param millis milliseconds
   * @param machine the hardware and the method
   * @param section of the paper
   */
  private record Stated(double millis, String machine, String section) {}

  /** The kernel of Table I on the GPU. */
  private static final String WORD_LOOP = "word loop (7a), 0xff";

  /** The kernel of Table I on the cores. */
  private static final String VECTOR_LOOP = "loop with 16-byte vectors (IV-D), 0xff";

  /**
   * A kernel, and the time that the paper states of the same method with memory access.
   *
   * @param cores the engine with the kernel on the cores, if it has one
   * @param gpu the variant with the kernel on the GPU, if it has one
   */
  private record Kernel(
      String name,
      Optional<String> cores,
      Optional<String> gpu,
      CoefficientKind coefficients,
      Optional<Stated> stated) {

    /** Returns the kernel with the time of the same method with memory access (Sec. IV-E1). */
    Kernel beside(double millis, String machine) {
      Stated paper = new Stated(millis, machine, "IV-E1");
      return new Kernel(name, cores, gpu, coefficients, Optional.of(paper));
    }

    Optional<Engine> onCores(BenchEngines engines, int threads) {
      return cores.map(
          spec -> engines.open(spec.equals(BEST) ? engines.coresSpec() : spec, threads));
    }

    Optional<Engine> onGpu(BenchEngines engines) {
      return gpu.flatMap(variant -> variant.equals(BEST) ? engines.gpu() : engines.gpu(variant));
    }
  }

  private static final List<Kernel> KERNELS =
      List.of(
          onBoth("byte loop (Fig. 3), 0xff", "cpu:loop-byte", "loop-byte", ALL_ONES),
          onBoth("byte loop (Fig. 3), random", "cpu:loop-byte", "loop-byte", RANDOM),
          onGpu("word loop with conditions, 0xff", "loop-word-branch", ALL_ONES),
          onBoth(WORD_LOOP, "cpu:loop-word", "loop-word", ALL_ONES),
          onBoth("word loop (7a), random", "cpu:loop-word", "loop-word", RANDOM),
          onGpu("word loop (7b), a thread a block, 0xff", "loop-word-coarse", ALL_ONES)
              .beside(5306, GPU),
          onGpu("word loop (7b), a thread a word, 0xff", "loop-word-bytewise", ALL_ONES)
              .beside(3016, GPU),
          onGpu("word loop (7b), four coefficients at a time, 0xff", "loop-word-24", ALL_ONES)
              .beside(2098, GPU),
          onGpu("word loop (7b), four coefficients at a time, random", "loop-word-24", RANDOM)
              .beside(1751, GPU),
          onCores(VECTOR_LOOP, "cpu:loop-vector", ALL_ONES).beside(2250, CPU),
          onCores("loop with 16-byte vectors (IV-D), random", "cpu:loop-vector", RANDOM)
              .beside(2157, CPU),
          onGpu("loop over tiles, random", "loop-tile", RANDOM),
          onBoth("tables (Fig. 2), random", "cpu:scalar", "table-plain", RANDOM),
          onGpu("tables, a copy per lane, random", "table", RANDOM),
          onBoth("log-domain tables (V-C), random", "cpu:table-log", "table-log-plain", RANDOM),
          onGpu("log-domain tables, a copy per lane, random", "table-log", RANDOM),
          onGpu("sums of subsets, random", "four-russians", RANDOM),
          onGpu("binary tensor cores, 0xff", "tensor", ALL_ONES),
          onGpu("binary tensor cores, random", "tensor", RANDOM),
          onBoth("fastest, 0xff", BEST, BEST, ALL_ONES),
          onBoth("fastest, random", BEST, BEST, RANDOM));

  /** Times of the paper's kernels that access no memory; the kernels here always do. */
  private static final List<Stated> WITHOUT_MEMORY =
      List.of(
          new Stated(7186, GPU + ", byte loop (Fig. 3)", "IV-B"),
          new Stated(2509, GPU + ", word loop with conditions", "IV-B"),
          new Stated(2373, GPU + ", word loop (7a)", "IV-C"),
          new Stated(2067, GPU + ", word loop (7b)", "IV-C"),
          new Stated(1905, GPU + ", word loop by hand in PTX", "IV-C"),
          new Stated(1672, CPU + ", word loop", "IV-D"));

  private final BenchEngines engines;
  private final int threads;
  private final List<String> labels = new ArrayList<>();
  private final SeriesBuilder oneThread = new SeriesBuilder();
  private final SeriesBuilder allThreads = new SeriesBuilder();
  private final SeriesBuilder gpu = new SeriesBuilder();
  private final SeriesBuilder paper = new SeriesBuilder();
  private final Table.Builder times;
  private final Table.Builder rates;
  private final NucleiPower power;

  NucleiKernels(BenchEngines engines) {
    this.engines = engines;
    this.threads = engines.threads();
    this.times =
        Table.named(
            "kernels",
            "Sec. IV-B to IV-E: c = 7168 coded blocks, n = 1024, k = 2048, milliseconds",
            "kernel",
            "paper ms",
            "paper's machine",
            "section",
            "here, 1 thread ms",
            "here, %d threads ms".formatted(threads),
            "here, GPU ms",
            "GPU, drawn, ms",
            "GPU to the host, ms");
    this.rates =
        Table.named(
            "kernel-rates",
            "The same in G GF-MAC/s",
            "kernel",
            "1 thread",
            "%d threads".formatted(threads),
            "GPU",
            "GPU, drawn",
            "GPU to the host",
            "blocks measured, 1 thread",
            "blocks measured, %d threads".formatted(threads));
    this.power = new NucleiPower(engines);
  }

  @Override
  public int steps() {
    return (int) KERNELS.stream().filter(this::isHere).count();
  }

  private boolean isHere(Kernel kernel) {
    return kernel.cores.isPresent() || kernel.onGpu(engines).isPresent();
  }

  @Override
  public List<Part> measure(Run run) {
    for (Kernel kernel : KERNELS) {
      if (isHere(kernel)) {
        measure(run, kernel);
      }
    }
    for (Stated stated : WITHOUT_MEMORY) {
      List<Cell> unmeasured = row("no memory access, 0xff", Optional.of(stated));
      CANDIDATES.forEach(_ -> unmeasured.add(Cell.empty()));
      times.row(unmeasured);
    }
    return List.of(
        times
            .note(
                "Fastest: the vectors of the cores, and the kernel that the engine of the GPU"
                    + " chooses for the shape.")
            .note(
                "Source blocks are resident; memory is read and written in all measurements. On the"
                    + " GPU, given coefficients are in main memory and cross the bus with every"
                    + " product; coefficients that are drawn do not. Results stay on the GPU, or go"
                    + " to pinned memory (\"to the host\", with given coefficients).")
            .note(
                "Every coded block is the same work. A slow kernel makes fewer of them on the cores"
                    + " (\"blocks measured\" below), and its time is scaled to 7168. With several"
                    + " threads they are at least eight per thread, so that all threads work.")
            .note(
                "A thread a block launches only 7168 threads, fewer than a large GPU can hold."
                    + " fieldstone-papers/src/check/cuda/nuclei_timer.cu times the loops of the GPU"
                    + " without memory access.")
            .build(),
        rates.build(),
        power.table(),
        new Plot(
            new Chart.Bars(
                "kernels",
                "Nuclei, Sec. IV: G GF-MAC/s at n = 1024, k = 2048",
                "G GF-MAC/s",
                labels,
                List.of(
                    oneThread.series(ONE, false),
                    allThreads.series(threads + " threads", false),
                    gpu.series(RESIDENT, false),
                    paper.series("paper (GPU or 8 cores)", true)))));
  }

  private void measure(Run run, Kernel kernel) {
    List<Candidate> candidates = new ArrayList<>();
    try (Closer loads = new Closer()) {
      Cell blocksOfOne = cores(run, kernel, ONE, 1, candidates, loads);
      Cell blocksOfAll = cores(run, kernel, ALL, threads, candidates, loads);
      kernel.onGpu(engines).ifPresent(engine -> gpu(run, kernel, engine, candidates, loads));
      add(kernel, run.compareBriefly(kernel.name, candidates), blocksOfOne, blocksOfAll);
    }
  }

  /** Adds a candidate on the cores; returns a cell of the number of blocks that it makes. */
  private Cell cores(
      Run run, Kernel kernel, String name, int workers, List<Candidate> candidates, Closer loads) {
    Optional<Engine> engine = kernel.onCores(engines, workers);
    if (engine.isEmpty()) {
      return Cell.empty();
    }
    ProductLoad load =
        loads.register(
            new ProductLoad(
                engine.get(),
                run.blocks(CODED_BLOCKS),
                run.blocks(BLOCKS),
                BLOCK_SIZE,
                kernel.coefficients));
    int wanted = run.blocks(CODED_BLOCKS);
    int least = workers == 1 ? 1 : Math.min(wanted, workers * BLOCKS_PER_THREAD);
    int blocks = load.affordable(least, wanted, run.briefPace().measured());
    candidates.add(load.candidate(name, blocks));
    return Cell.of(blocks);
  }

  private static void gpu(
      Run run, Kernel kernel, Engine engine, List<Candidate> candidates, Closer loads) {
    Batch batch = new Batch(1, run.blocks(CODED_BLOCKS), run.blocks(BLOCKS), BLOCK_SIZE);
    BatchLoad load = loads.register(new BatchLoad(engine, batch));
    boolean isRandom = kernel.coefficients == RANDOM;
    ByteMatrices coefficients = isRandom ? load.given() : load.allOnes();
    candidates.add(load.resident(RESIDENT, coefficients));
    if (isRandom) {
      candidates.add(load.resident(DRAWN, load.drawn()));
    }
    candidates.add(load.toHost(TO_HOST, coefficients));
  }

  private void add(Kernel kernel, Results results, Cell blocksOfOne, Cell blocksOfAll) {
    int label = labels.size();
    labels.add(kernel.name);
    results.of(ONE, Measurement::bestRate).ifPresent(rate -> oneThread.add(label, rate));
    results.of(ALL, Measurement::bestRate).ifPresent(rate -> allThreads.add(label, rate));
    results.of(RESIDENT, Measurement::bestRate).ifPresent(rate -> gpu.add(label, rate));
    kernel.stated.ifPresent(stated -> paper.add(label, macs() / stated.millis / 1e6));
    List<Cell> measured = row(kernel.name, kernel.stated);
    for (String candidate : CANDIDATES) {
      measured.add(results.cell(candidate, NucleiKernels::millis));
    }
    times.row(measured);
    if (kernel.name.equals(WORD_LOOP)) {
      power.measuredOnGpu(results.of(RESIDENT, Measurement::bestRate));
    } else if (kernel.name.equals(VECTOR_LOOP)) {
      power.measuredOnCores(results.of(ALL, Measurement::bestRate));
    }
    List<Cell> row = new ArrayList<>(List.of(Cell.of(kernel.name)));
    for (String candidate : CANDIDATES) {
      row.add(results.cell(candidate, Measurement::bestRate));
    }
    row.add(blocksOfOne);
    row.add(blocksOfAll);
    rates.row(row);
  }

  private static Kernel onCores(String name, String cores, CoefficientKind coefficients) {
    return new Kernel(name, Optional.of(cores), Optional.empty(), coefficients, Optional.empty());
  }

  private static Kernel onGpu(String name, String gpu, CoefficientKind coefficients) {
    return new Kernel(name, Optional.empty(), Optional.of(gpu), coefficients, Optional.empty());
  }

  private static Kernel onBoth(
      String name, String cores, String gpu, CoefficientKind coefficients) {
    return new Kernel(name, Optional.of(cores), Optional.of(gpu), coefficients, Optional.empty());
  }

  /** Returns the cells of a row before the measured times. */
  private static List<Cell> row(String kernel, Optional<Stated> stated) {
    return new ArrayList<>(
        List.of(
            Cell.of(kernel),
            stated.map(one -> Cell.of(one.millis)).orElseGet(Cell::empty),
            Cell.of(stated.map(Stated::machine).orElse("")),
            Cell.of(stated.map(Stated::section).orElse(""))));
  }

  /** Returns the milliseconds that the task of the paper takes at a measured rate. */
  private static double millis(Measurement measurement) {
    return macs() / measurement.bestRate() / 1e6;
  }

  private static double macs() {
    return (double) CODED_BLOCKS * BLOCKS * BLOCK_SIZE;
  }
}
