package io.fieldstone.bench.nuclei;

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
import io.fieldstone.bench.report.Chart;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.SeriesBuilder;
import io.fieldstone.bench.report.Table;
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

  private static final Stated UNSTATED = new Stated(Double.NaN, "", "");

  /**
   * A kernel, and the times that the paper states of the same method.
   *
   * @param cores the engine with the kernel on the cores
   * @param gpu the variant with the kernel on the GPU
   */
  private record Kernel(
      String name,
      Optional<String> cores,
      String gpu,
      CoefficientKind coefficients,
      List<Stated> stated) {

    Optional<Engine> onCores(BenchEngines engines, int threads) {
      return cores.map(
          spec -> engines.open(spec.equals(BEST) ? engines.coresSpec() : spec, threads));
    }

    Optional<Engine> onGpu(BenchEngines engines) {
      return gpu.equals(BEST) ? engines.gpu() : engines.gpu(gpu);
    }
  }

  private static final List<Kernel> KERNELS =
      List.of(
          new Kernel(
              "byte loop (Fig. 3), 0xff",
              Optional.of("cpu:loop-byte"),
              "loop-byte",
              CoefficientKind.ALL_ONES,
              List.of(new Stated(7186, GPU + ", no memory access", "IV-B"))),
          new Kernel(
              "byte loop (Fig. 3), random",
              Optional.of("cpu:loop-byte"),
              "loop-byte",
              CoefficientKind.RANDOM,
              List.of()),
          new Kernel(
              "word loop (Fig. 4), 0xff",
              Optional.of("cpu:loop-word"),
              "loop-word",
              CoefficientKind.ALL_ONES,
              List.of(
                  new Stated(2509, GPU + ", no memory access, with conditions", "IV-B"),
                  new Stated(2373, GPU + ", mask by multiplication (7a)", "IV-C"),
                  new Stated(2067, GPU + ", 24-bit multiplication (7b)", "IV-C"),
                  new Stated(1905, GPU + ", by hand in PTX", "IV-C"),
                  new Stated(5306, GPU + ", with memory, a thread a block", "IV-E1"),
                  new Stated(3016, GPU + ", with memory, a thread a word", "IV-E1"),
                  new Stated(2098, GPU + ", coefficients four at a time", "IV-E1"))),
          new Kernel(
              "word loop (Fig. 4), random",
              Optional.of("cpu:loop-word"),
              "loop-word",
              CoefficientKind.RANDOM,
              List.of(new Stated(1751, GPU, "IV-E1"))),
          new Kernel(
              "loop over tiles, random",
              Optional.empty(),
              "loop-tile",
              CoefficientKind.RANDOM,
              List.of()),
          new Kernel(
              "tables (Fig. 2), random",
              Optional.of("cpu:scalar"),
              "table",
              CoefficientKind.RANDOM,
              List.of()),
          new Kernel(
              "log-domain tables (V-C), random",
              Optional.of("cpu:table-log"),
              "table-log",
              CoefficientKind.RANDOM,
              List.of()),
          new Kernel(
              "sums of subsets, random",
              Optional.empty(),
              "four-russians",
              CoefficientKind.RANDOM,
              List.of()),
          new Kernel(
              "binary tensor cores, 0xff",
              Optional.empty(),
              "tensor",
              CoefficientKind.ALL_ONES,
              List.of()),
          new Kernel(
              "binary tensor cores, random",
              Optional.empty(),
              "tensor",
              CoefficientKind.RANDOM,
              List.of()),
          new Kernel(
              "fastest, 0xff",
              Optional.of(BEST),
              BEST,
              CoefficientKind.ALL_ONES,
              List.of(
                  new Stated(1672, CPU + ", no memory access", "IV-D"),
                  new Stated(2250, CPU, "IV-E1"))),
          new Kernel(
              "fastest, random",
              Optional.of(BEST),
              BEST,
              CoefficientKind.RANDOM,
              List.of(new Stated(2157, CPU, "IV-E1"))));

  private final BenchEngines engines;
  private final int threads;
  private final List<String> labels = new ArrayList<>();
  private final SeriesBuilder oneThread = new SeriesBuilder();
  private final SeriesBuilder allThreads = new SeriesBuilder();
  private final SeriesBuilder gpu = new SeriesBuilder();
  private final SeriesBuilder paper = new SeriesBuilder();
  private final Table.Builder times;
  private final Table.Builder rates;

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
                    + " (\"blocks measured\" below), and its time is scaled to 7168.")
            .build(),
        rates.build(),
        new Chart.Bars(
            "kernels",
            "Nuclei, Sec. IV: G GF-MAC/s at n = 1024, k = 2048",
            "G GF-MAC/s",
            labels,
            List.of(
                oneThread.series(ONE, false),
                allThreads.series(threads + " threads", false),
                gpu.series(RESIDENT, false),
                paper.series("paper's best (GPU or 8 cores)", true))));
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
    int blocks = load.affordable(run.blocks(CODED_BLOCKS), run.briefPace().measured());
    candidates.add(load.candidate(name, blocks));
    return Cell.of(blocks);
  }

  private static void gpu(
      Run run, Kernel kernel, Engine engine, List<Candidate> candidates, Closer loads) {
    Batch batch = new Batch(1, run.blocks(CODED_BLOCKS), run.blocks(BLOCKS), BLOCK_SIZE);
    BatchLoad load = loads.register(new BatchLoad(engine, batch));
    boolean isRandom = kernel.coefficients == CoefficientKind.RANDOM;
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
    kernel.stated.stream()
        .mapToDouble(Stated::millis)
        .min()
        .ifPresent(millis -> paper.add(label, macs() / millis / 1e6));
    boolean first = true;
    for (Stated stated : kernel.stated.isEmpty() ? List.of(UNSTATED) : kernel.stated) {
      List<Cell> row =
          new ArrayList<>(
              List.of(
                  Cell.of(kernel.name),
                  Double.isNaN(stated.millis) ? Cell.empty() : Cell.of(stated.millis),
                  Cell.of(stated.machine),
                  Cell.of(stated.section)));
      for (String candidate : List.of(ONE, ALL, RESIDENT, DRAWN, TO_HOST)) {
        row.add(first ? results.cell(candidate, NucleiKernels::millis) : Cell.empty());
      }
      times.row(row);
      first = false;
    }
    List<Cell> row = new ArrayList<>(List.of(Cell.of(kernel.name)));
    for (String candidate : List.of(ONE, ALL, RESIDENT, DRAWN, TO_HOST)) {
      row.add(results.cell(candidate, Measurement::bestRate));
    }
    row.add(blocksOfOne);
    row.add(blocksOfAll);
    rates.row(row);
  }

  /** Returns the milliseconds that the task of the paper takes at a measured rate. */
  private static double millis(Measurement measurement) {
    return macs() / measurement.bestRate() / 1e6;
  }

  private static double macs() {
    return (double) CODED_BLOCKS * BLOCKS * BLOCK_SIZE;
  }
}
