package io.fieldstone.bench.gpu;

import io.fieldstone.bench.coding.PipelineLoad;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.TableSection;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decodes a generation of the pipeline code by the decoders of HPDS, by the cores, and by the
 * decoder that the engine chooses.
 */
final class GpuPipeline extends TableSection {

  private static final int FRAMES = 2048;
  private static final int FRAME_SIZE = 1024;

  private static final String CORES = "cores";
  private static final String BASELINE = "baseline";
  private static final String HPDS = "hpds";
  private static final String AUTO = "Fieldstone";
  private static final String BY_FRAME = ", frame by frame";

  private final GpuRun gpuRun;

  GpuPipeline(GpuRun gpuRun) {
    super("pipeline (2048, 1024)");
    this.gpuRun = gpuRun;
  }

  @Override
  public List<Candidate> candidates(Run run, Closer loads) {
    BenchEngines engines = gpuRun.engines();
    Map<String, Engine> decoders = new LinkedHashMap<>();
    decoders.put(CORES, engines.cores());
    engines.gpu(BASELINE).ifPresent(engine -> decoders.put(BASELINE, engine));
    engines.gpu(HPDS).ifPresent(engine -> decoders.put(HPDS, engine));
    engines.gpu().ifPresent(engine -> decoders.put(AUTO, engine));
    Engine host = engines.gpu().orElseGet(engines::cores);
    PipelineLoad load = loads.register(new PipelineLoad(host, run.blocks(FRAMES), FRAME_SIZE));
    List<Candidate> candidates = new ArrayList<>();
    decoders.forEach((decoder, engine) -> {
      candidates.add(load.whole(decoder, engine));
      candidates.add(load.frameByFrame(decoder + BY_FRAME, engine));
    });
    return candidates;
  }

  @Override
  public Table table(Run run, Results results) {
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
    for (String decoder : List.of(CORES, BASELINE, HPDS, AUTO)) {
      table.row(
          Cell.of(decoder),
          results.cell(decoder, Measurement::medianMillions),
          results.cell(decoder + BY_FRAME, Measurement::medianMillions),
          Cell.of(results.medianRatio(decoder, BASELINE)),
          Cell.of(results.medianRatio(decoder, HPDS)),
          Cell.of(results.medianRatio(decoder, CORES)));
    }
    return table.note("Every shape of the paper is in bench hpds.").build();
  }
}
