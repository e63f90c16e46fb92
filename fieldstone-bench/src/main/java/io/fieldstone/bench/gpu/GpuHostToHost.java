package io.fieldstone.bench.gpu;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.coding.SolveLoad;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.TableSection;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Encodes and decodes from main memory to main memory, and compares that with the bus. */
final class GpuHostToHost extends TableSection {

  /**
   * The source bytes; the first upload and the last download, which overlap with no other transfer,
   * are 2% of them.
   */
  private static final long BATCH_BYTES = 2L << 30;

  private static final String ENCODE_DRAWN = "encode, coefficients drawn";
  private static final String ENCODE_GIVEN = "encode, coefficients given";
  private static final String DECODE_DRAWN = "decode in one call, vectors drawn";
  private static final String DECODE_GIVEN = "decode in one call, vectors given";
  private static final String STORED = "store, then solve, vectors drawn";

  private static final List<String> JOBS =
      List.of(ENCODE_DRAWN, ENCODE_GIVEN, DECODE_DRAWN, DECODE_GIVEN, STORED);

  private final GpuRun gpuRun;
  private final Batch batch;

  GpuHostToHost(GpuRun gpuRun) {
    super("host to host");
    this.gpuRun = gpuRun;
    this.batch = gpuRun.batch(128, 4096, BATCH_BYTES);
  }

  @Override
  public List<Candidate> candidates(Run run, Closer loads) {
    List<Candidate> candidates = new ArrayList<>();
    gpuRun
        .engines()
        .gpu()
        .ifPresent(gpu -> {
          BatchLoad encode = loads.register(new BatchLoad(gpu, batch));
          SolveLoad decode = loads.register(new SolveLoad(gpu, batch));
          candidates.add(encode.hostToHost(ENCODE_DRAWN, encode.drawn()));
          candidates.add(encode.hostToHost(ENCODE_GIVEN, encode.given()));
          candidates.add(decode.hostToHost(DECODE_DRAWN, decode.drawn()));
          candidates.add(decode.hostToHost(DECODE_GIVEN, decode.given()));
          candidates.add(decode.storeAndSolve(STORED, decode.drawn()));
        });
    return candidates;
  }

  @Override
  public Table table(Run run, Results results) {
    Table.Builder table =
        Table.named(
            "host-to-host",
            "From pinned main memory to pinned main memory, %s".formatted(batch),
            "job",
            "GB/s each way",
            "of the slower direction",
            "of both ways at once");
    for (String job : JOBS) {
      OptionalDouble rate =
          results.of(job, measurement -> batch.gigabytes(measurement.medianRate()));
      table.row(
          Cell.of(job),
          Cell.of(rate),
          Cell.ratio(rate, gpuRun.ceilings().slowerDirection()),
          Cell.ratio(rate, gpuRun.ceilings().bothWays()));
    }
    return table
        .note(
            "As many bytes are uploaded as downloaded. Where the bus is slower while both"
                + " directions are busy, the last column is the fraction of that rate.")
        .build();
  }
}
