package io.fieldstone.bench;

import io.fieldstone.rlnc.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What one block costs a progressive decoder when it arrives. */
final class GpuArrivals extends TableSection {

  private static final int BLOCKS = 128;
  private static final int BLOCK_SIZE = 4096;

  private static final String CORES = "cores";
  private static final String ASSISTED = "GPU with CPU assistance";
  private static final String GPU = "GPU";

  private final GpuRun gpuRun;

  GpuArrivals(GpuRun gpuRun) {
    super("progressive block (128, 4096)");
    this.gpuRun = gpuRun;
  }

  @Override
  List<Candidate> candidates(Run run, Closer loads) {
    Lineup lineup = gpuRun.lineup();
    List<Candidate> candidates = new ArrayList<>();
    DecodeLoad load =
        loads.register(
            new DecodeLoad(lineup.cores(), new Code.Dense(), run.blocks(BLOCKS), BLOCK_SIZE));
    candidates.add(load.arrivals(CORES, lineup.cores()));
    lineup.gpu("assisted").ifPresent(gpu -> candidates.add(load.arrivals(ASSISTED, gpu)));
    lineup.gpu().ifPresent(gpu -> candidates.add(load.arrivals(GPU, gpu)));
    return candidates;
  }

  @Override
  Table table(Run run, Results results) {
    Table.Builder table =
        Table.named(
            "arrivals",
            "Progressive decoding at (128, 4096), microseconds a block",
            "decoder",
            "µs a block",
            "launch and wait, µs",
            "block / launch and wait");
    for (String decoder : List.of(CORES, ASSISTED, GPU)) {
      OptionalDouble micros = results.of(decoder, GpuArrivals::micros);
      OptionalDouble launch =
          decoder.equals(CORES) ? OptionalDouble.empty() : gpuRun.limits().launchMicros();
      table.row(Cell.of(decoder), Cell.of(micros), Cell.of(launch), Cell.ratio(micros, launch));
    }
    return table
        .note(
            "The mean over the blocks of a generation, each waited for; reading source blocks is"
                + " not in it.")
        .build();
  }

  /** Its work is blocks. */
  private static double micros(Measurement measurement) {
    return 1 / measurement.medianRate() / 1e3;
  }
}
