package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Decoding a generation of the pipeline code: the decoders of HPDS and ours. */
final class GpuPipeline implements Section {

  private static final int FRAMES = 2048;
  private static final int FRAME_SIZE = 1024;

  private static final String CORES = "cores";
  private static final String BASELINE = "baseline";
  private static final String HPDS = "hpds";
  private static final String OURS = "ours";
  private static final String BY_FRAME = ", frame by frame";

  private final GpuRun gpuRun;

  GpuPipeline(GpuRun gpuRun) {
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
            "pipeline",
            "Decoding the pipeline code, generation 2048 × 1024 bytes, host to host, MB/s",
            "decoder",
            "whole generation",
            "frame by frame",
            "whole / baseline",
            "whole / HPDS",
            "whole / cores");
    for (String decoder : List.of(CORES, BASELINE, HPDS, OURS)) {
      table.row(
          Cell.of(decoder),
          results.cell(decoder, one -> one.medianRate() * 1e3),
          results.cell(decoder + BY_FRAME, one -> one.medianRate() * 1e3),
          Cell.of(results.medianRatio(decoder, BASELINE)),
          Cell.of(results.medianRatio(decoder, HPDS)),
          Cell.of(results.medianRatio(decoder, CORES)));
    }
    return List.of(table.note("Every shape of the paper is in bench hpds.").build());
  }

  private Results results(Run run) {
    Lineup lineup = gpuRun.lineup();
    Map<String, Engine> decoders = new LinkedHashMap<>();
    decoders.put(CORES, lineup.cores());
    lineup.gpu(BASELINE).ifPresent(engine -> decoders.put(BASELINE, engine));
    lineup.gpu(HPDS).ifPresent(engine -> decoders.put(HPDS, engine));
    lineup.gpu().ifPresent(engine -> decoders.put(OURS, engine));
    Engine host = lineup.gpu().orElseGet(lineup::cores);
    List<Candidate> candidates = new ArrayList<>();
    try (PipelineLoad load = new PipelineLoad(host, run.blocks(FRAMES), FRAME_SIZE)) {
      decoders.forEach((decoder, engine) -> {
        candidates.add(load.whole(decoder, engine));
        candidates.add(load.frameByFrame(decoder + BY_FRAME, engine));
      });
      return run.results("pipeline (2048, 1024)", candidates);
    }
  }
}
