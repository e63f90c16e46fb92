package io.fieldstone.bench.nuclei;

import static io.fieldstone.bench.nuclei.NucleiPaper.BLOCKS;
import static io.fieldstone.bench.nuclei.NucleiPaper.BLOCK_SIZE;
import static io.fieldstone.bench.nuclei.NucleiPaper.CPU;
import static io.fieldstone.bench.nuclei.NucleiPaper.GPU;

import io.fieldstone.bench.coding.DecodeLoad;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.TableSection;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Table;
import io.fieldstone.rlnc.Code;
import java.util.ArrayList;
import java.util.List;

/** Measures Sec. IV-F: decoding one generation, block by block or at once. */
final class NucleiDecoding extends TableSection {

  private static final String ONE = ", 1 thread";
  private static final String ALL = ", all threads";
  private static final String PROGRESSIVE = "progressive";
  private static final String ASSISTED = "progressive, GPU with CPU assistance";
  private static final String ALONE = "progressive, GPU";
  private static final String CPU_VECTORS = "progressive, GPU, vectors on the CPU";
  private static final String BUFFERED = "buffered";
  private static final String GAUSS_JORDAN = "buffered, GPU, Gauss–Jordan elimination";
  private static final String BUFFERED_GPU = "buffered, GPU, inversion and product";

  private final BenchEngines engines;

  NucleiDecoding(BenchEngines engines) {
    super("decode (1024, 2048)");
    this.engines = engines;
  }

  @Override
  public List<Candidate> candidates(Run run, Closer loads) {
    DecodeLoad load =
        loads.register(
            new DecodeLoad(engines.cores(), new Code.Dense(), run.blocks(BLOCKS), BLOCK_SIZE));
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(load.progressive(PROGRESSIVE + ONE, engines.oneCore()));
    candidates.add(load.progressive(PROGRESSIVE + ALL, engines.cores()));
    candidates.add(load.buffered(BUFFERED + ONE, engines.oneCore()));
    candidates.add(load.buffered(BUFFERED + ALL, engines.cores()));
    engines.gpu("assisted").ifPresent(gpu -> candidates.add(load.progressive(ASSISTED, gpu)));
    engines.gpu("cpu-vectors").ifPresent(gpu -> candidates.add(load.progressive(CPU_VECTORS, gpu)));
    engines.gpu("gauss-jordan").ifPresent(gpu -> candidates.add(load.buffered(GAUSS_JORDAN, gpu)));
    engines
        .gpu()
        .ifPresent(gpu -> {
          candidates.add(load.progressive(ALONE, gpu));
          candidates.add(load.buffered(BUFFERED_GPU, gpu));
        });
    return candidates;
  }

  @Override
  public Table table(Run run, Results results) {
    return Table.named(
            "decoding",
            "Sec. IV-F: decoding (n = 1024, k = 2048), milliseconds",
            "decoder",
            "paper ms",
            "paper's machine",
            "here, 1 thread ms",
            "here, %d threads ms".formatted(engines.threads()),
            "here, GPU ms")
        .row(onCores(PROGRESSIVE, 2031, results))
        .row(onGpu(ASSISTED, Cell.of(2484), results))
        .row(onGpu(CPU_VECTORS, Cell.empty(), results))
        .row(onGpu(ALONE, Cell.of(6073), results))
        .row(onCores(BUFFERED, 1688, results))
        .row(onGpu(GAUSS_JORDAN, Cell.of(2175), results))
        .row(onGpu(BUFFERED_GPU, Cell.empty(), results))
        .note(
            "CPU assistance is as in the paper: the GPU reduces vectors and payloads, and the CPU"
                + " finds the pivot. On the cores, and with the vectors on the CPU, the cores"
                + " eliminate vectors as blocks arrive, and payloads are multiplied once the"
                + " generation is complete. \"Progressive, GPU\" is one launch per block.")
        .note("Coded and source blocks are in main memory.")
        .build();
  }

  private static List<Cell> onCores(String decoder, double paperMillis, Results results) {
    return List.of(
        Cell.of(decoder),
        Cell.of(paperMillis),
        Cell.of(CPU),
        results.cell(decoder + ONE, Measurement::bestMillis),
        results.cell(decoder + ALL, Measurement::bestMillis),
        Cell.empty());
  }

  private static List<Cell> onGpu(String decoder, Cell paperMillis, Results results) {
    return List.of(
        Cell.of(decoder),
        paperMillis,
        Cell.of(paperMillis instanceof Cell.Empty ? "" : GPU),
        Cell.empty(),
        Cell.empty(),
        results.cell(decoder, Measurement::bestMillis));
  }
}
