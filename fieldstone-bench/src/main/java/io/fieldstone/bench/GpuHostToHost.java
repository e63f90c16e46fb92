package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Encoding and decoding from main memory to main memory, against the bus. */
final class GpuHostToHost implements Section {

  /** A large file: the first piece's way up and the last one's way down are 2% of it. */
  private static final long BATCH_BYTES = 2L << 30;

  private static final String ENCODE_DRAWN = "encode, coefficients drawn there";
  private static final String ENCODE_GIVEN = "encode, coefficients given";
  private static final String DECODE_DRAWN = "decode, in one go, vectors drawn there";
  private static final String DECODE_GIVEN = "decode, in one go, vectors given";
  private static final String STORED = "decode: stored, then solved, vectors drawn there";

  private static final List<String> ENCODINGS = List.of(ENCODE_DRAWN, ENCODE_GIVEN);
  private static final List<String> DECODINGS = List.of(DECODE_DRAWN, DECODE_GIVEN, STORED);

  private final GpuRun gpuRun;

  GpuHostToHost(GpuRun gpuRun) {
    this.gpuRun = gpuRun;
  }

  @Override
  public int steps() {
    return gpuRun.lineup().hasGpu() ? 1 : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    Batch batch = gpuRun.batch(128, 4096, BATCH_BYTES);
    Results results = results(run, batch);
    Table.Builder table =
        Table.named(
            "host-to-host",
            "From pinned main memory to pinned main memory, %s".formatted(batch),
            "job",
            "GB/s each way",
            "share of the slower direction",
            "share of both ways at once");
    for (String job : Stream.concat(ENCODINGS.stream(), DECODINGS.stream()).toList()) {
      OptionalDouble rate = results.of(job, one -> batch.gigabytes(one.medianRate()));
      table.row(
          Cell.of(job),
          Cell.of(rate),
          share(rate, gpuRun.limits().slowerDirection()),
          share(rate, gpuRun.limits().bothWays()));
    }
    goal("encode, host to host, (128, 4096)", results, batch, ENCODINGS);
    goal("decode, host to host, (128, 4096)", results, batch, DECODINGS);
    return List.of(
        table
            .note(
                "As many bytes go up as come down. A bus that carries less each way while both are"
                    + " busy cannot give all of its slower direction: the last column is what is"
                    + " left to gain.")
            .build());
  }

  private void goal(String what, Results results, Batch batch, List<String> jobs) {
    OptionalDouble best =
        jobs.stream()
            .map(job -> results.of(job, one -> batch.gigabytes(one.medianRate())))
            .flatMapToDouble(OptionalDouble::stream)
            .max();
    gpuRun
        .goals()
        .add(
            Goals.Goal.ratio(
                what,
                "GB/s",
                best,
                "the slower direction of the bus",
                gpuRun.limits().slowerDirection(),
                0.85));
  }

  private static Cell share(OptionalDouble rate, OptionalDouble ceiling) {
    return rate.isPresent() && ceiling.isPresent()
        ? Cell.of(rate.getAsDouble() / ceiling.getAsDouble())
        : Cell.empty();
  }

  private Results results(Run run, Batch batch) {
    Optional<Engine> gpu = gpuRun.lineup().gpu();
    if (gpu.isEmpty()) {
      return new Results(List.of());
    }
    List<Candidate> candidates = new ArrayList<>();
    try (BatchLoad encode = new BatchLoad(gpu.get(), batch);
        SolveLoad decode = new SolveLoad(gpu.get(), batch)) {
      candidates.add(encode.hostToHost(ENCODE_DRAWN, encode.drawn()));
      candidates.add(encode.hostToHost(ENCODE_GIVEN, encode.given()));
      candidates.add(decode.hostToHost(DECODE_DRAWN, decode.drawn()));
      candidates.add(decode.hostToHost(DECODE_GIVEN, decode.given()));
      candidates.add(decode.storeAndSolve(STORED, decode.drawn()));
      return run.results("host to host " + batch, candidates);
    }
  }
}
