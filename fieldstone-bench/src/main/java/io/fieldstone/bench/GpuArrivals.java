package io.fieldstone.bench;

import io.fieldstone.rlnc.Code;
import java.util.ArrayList;
import java.util.List;

/** What one block costs a progressive decoder when it arrives. */
final class GpuArrivals implements Section {

  private static final int BLOCKS = 128;
  private static final int BLOCK_SIZE = 4096;

  private static final String CORES = "cores";
  private static final String ASSISTED = "GPU with CPU assistance";
  private static final String GPU = "GPU";

  private final GpuRun gpuRun;

  GpuArrivals(GpuRun gpuRun) {
    this.gpuRun = gpuRun;
  }

  @Override
  public int steps() {
    return 1;
  }

  @Override
  public List<Part> measure(Run run) {
    Results results = results(run);
    Table.Builder table =
        Table.named(
            "arrivals",
            "Progressive decoding at (128, 4096), microseconds a block",
            "decoder",
            "µs a block",
            "launch and wait, µs");
    for (String decoder : List.of(CORES, ASSISTED, GPU)) {
      table.row(
          Cell.of(decoder),
          results.cell(decoder, GpuArrivals::micros),
          decoder.equals(CORES) ? Cell.empty() : Cell.of(gpuRun.limits().launchMicros()));
    }
    gpuRun
        .goals()
        .add(
            Goals.Goal.latency(
                "one progressive block at (128, 4096)",
                "µs",
                results.of(GPU, GpuArrivals::micros),
                "launch and wait",
                gpuRun.limits().launchMicros(),
                2));
    return List.of(
        table
            .note(
                "The mean over the blocks of a generation, each waited for; reading source blocks"
                    + " is not in it.")
            .build());
  }

  /** Its work is blocks. */
  private static double micros(Measurement measurement) {
    return 1 / measurement.medianRate() / 1e3;
  }

  private Results results(Run run) {
    Lineup lineup = gpuRun.lineup();
    List<Candidate> candidates = new ArrayList<>();
    try (DecodeLoad load =
        new DecodeLoad(lineup.cores(), new Code.Dense(), run.blocks(BLOCKS), BLOCK_SIZE)) {
      candidates.add(load.arrivals(CORES, lineup.cores()));
      lineup.gpu("assisted").ifPresent(gpu -> candidates.add(load.arrivals(ASSISTED, gpu)));
      lineup.gpu().ifPresent(gpu -> candidates.add(load.arrivals(GPU, gpu)));
      return run.results("progressive block (128, 4096)", candidates);
    }
  }
}
