package io.fieldstone.bench.gpu;

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
import java.util.OptionalDouble;

/** Measures the time of one arriving block in a progressive decoder. */
final class GpuArrivals extends TableSection {

  private static final int BLOCKS = 128;
  private static final int BLOCK_SIZE = 4096;

  private static final String CORES = "cores";
  private static final String CPU_VECTORS = "GPU, vectors on the CPU";
  private static final String GPU = "GPU";

  private final GpuRun gpuRun;

  GpuArrivals(GpuRun gpuRun) {
    super("progressive block (128, 4096)");
    this.gpuRun = gpuRun;
  }

  @Override
  public List<Candidate> candidates(Run run, Closer loads) {
    BenchEngines engines = gpuRun.engines();
    List<Candidate> candidates = new ArrayList<>();
    DecodeLoad load =
        loads.register(
            new DecodeLoad(engines.cores(), new Code.Dense(), run.blocks(BLOCKS), BLOCK_SIZE));
    candidates.add(load.arrivals(CORES, engines.cores()));
    engines.gpu("cpu-vectors").ifPresent(gpu -> candidates.add(load.arrivals(CPU_VECTORS, gpu)));
    engines.gpu().ifPresent(gpu -> candidates.add(load.arrivals(GPU, gpu)));
    return candidates;
  }

  @Override
  public Table table(Run run, Results results) {
    Table.Builder table =
        Table.named(
            "arrivals",
            "Progressive decoding at (128, 4096), microseconds per block",
            "decoder",
            "µs per block",
            "launch and wait, µs",
            "block / launch and wait");
    for (String decoder : List.of(CORES, CPU_VECTORS, GPU)) {
      OptionalDouble micros = results.of(decoder, GpuArrivals::micros);
      OptionalDouble launch =
          decoder.equals(CORES) ? OptionalDouble.empty() : gpuRun.ceilings().launchMicros();
      table.row(Cell.of(decoder), Cell.of(micros), Cell.of(launch), Cell.ratio(micros, launch));
    }
    return table
        .note(
            "The mean over the blocks of a generation; each is waited for. Reading source blocks is"
                + " not included.")
        .build();
  }

  /** Returns microseconds per block; the work is counted in blocks. */
  private static double micros(Measurement measurement) {
    return 1 / measurement.medianRate() / 1e3;
  }
}
