package io.fieldstone.bench.gpu;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.coding.SolveLoad;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import java.util.ArrayList;
import java.util.List;

/** Decodes many resident generations at once, and compares that with encoding them. */
final class GpuDecoding implements Section {

  private static final long MANY_BYTES = 1L << 30;
  private static final long LONG_BYTES = 256L << 20;

  private static final String ENCODE = "encode";
  private static final String DRAWN = "decode, drawn";
  private static final String GIVEN = "decode, given";

  private final GpuRun gpuRun;

  GpuDecoding(GpuRun gpuRun) {
    this.gpuRun = gpuRun;
  }

  @Override
  public int steps() {
    return 2;
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "decoding",
            "Decoding resident generations at once, GB/s of source bytes",
            "generations × (n, k)",
            "encode, drawn",
            "decode, drawn",
            "decode, given",
            "drawn: decode / encode",
            "given: decode / encode");
    add(table, run, gpuRun.batch(128, 4096, MANY_BYTES));
    add(table, run, gpuRun.batch(1024, 2048, LONG_BYTES));
    return List.of(
        table
            .note(
                "From resident coded to resident source blocks: inversion and product. Coding"
                    + " vectors are drawn on the GPU, or given in pinned memory. One generation in"
                    + " 255 lacks rank, and is reported so.")
            .build());
  }

  private void add(Table.Builder table, Run run, Batch batch) {
    Results results = run.compare("decode " + batch, loads -> candidates(batch, loads));
    table.row(
        Cell.of(batch.toString()),
        results.cell(ENCODE, measurement -> batch.gigabytes(measurement.medianRate())),
        results.cell(DRAWN, measurement -> batch.gigabytes(measurement.medianRate())),
        results.cell(GIVEN, measurement -> batch.gigabytes(measurement.medianRate())),
        Cell.of(results.medianRatio(DRAWN, ENCODE)),
        Cell.of(results.medianRatio(GIVEN, ENCODE)));
  }

  private List<Candidate> candidates(Batch batch, Closer loads) {
    List<Candidate> candidates = new ArrayList<>();
    gpuRun
        .engines()
        .gpu()
        .ifPresent(gpu -> {
          BatchLoad encode = loads.register(new BatchLoad(gpu, batch));
          SolveLoad decode = loads.register(new SolveLoad(gpu, batch));
          candidates.add(encode.resident(ENCODE, encode.drawn()));
          candidates.add(decode.resident(DRAWN, decode.drawn()));
          candidates.add(decode.resident(GIVEN, decode.given()));
        });
    return candidates;
  }
}
