package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.FileDecoder;
import io.fieldstone.rlnc.file.FileEncoder;
import io.fieldstone.stream.ProgressListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts the driver calls while files are decoded. */
class FileDecodingTest {

  private static final int GENERATIONS = 48;
  private static final int N = 16;
  private static final int K = 1024;
  private static final int SHARDS = 16;

  @TempDir private Path directory;

  private byte[] content = {};

  private List<Path> encode(Code code) throws Exception {
    content = new byte[GENERATIONS * N * K];
    new Random(1).nextBytes(content);
    Path source = directory.resolve("source");
    Files.write(source, content);
    var shape = new GenerationShape(Gf256.DEFAULT, code, N, K);
    try (Engine cores = Engine.open("cpu")) {
      return new FileEncoder(cores, new EncodingParameters(shape, SHARDS, 1, 1))
          .encode(source, directory.resolve("shards"), ProgressListener.NONE)
          .shards();
    }
  }

  /** Returns the number of calls of a driver function during a decoding. */
  private record Calls(Map<String, Integer> before, Map<String, Integer> after) {
    int count(Predicate<String> which) {
      return after.entrySet().stream()
          .filter(entry -> which.test(entry.getKey()))
          .mapToInt(entry -> entry.getValue() - before.getOrDefault(entry.getKey(), 0))
          .sum();
    }

    int copies() {
      return count(name -> name.startsWith("cuMemcpy"));
    }

    int launches() {
      return count(name -> name.equals("cuLaunchKernel") || name.equals("cuGraphLaunch"));
    }

    int waits() {
      return count(name -> name.endsWith("Synchronize"));
    }
  }

  private Calls decode(List<Path> shards, List<Phase> phases) throws Exception {
    try (FakeGpu gpu = new FakeGpu();
        Engine engine = gpu.open("cuda:0", phases::add)) {
      engine.allocate(Gf256.DEFAULT, 1, N, 64).close(); // which makes tables of the field
      phases.clear();
      Map<String, Integer> before = gpu.driver().calls();
      Path target = directory.resolve("decoded");
      new FileDecoder(engine).decode(shards, target, ProgressListener.NONE);
      assertThat(Files.readAllBytes(target)).isEqualTo(content);
      return new Calls(before, gpu.driver().calls());
    }
  }

  @Test
  void sourceBlocksAreNotCopiedToTheGpu() throws Exception {
    List<Path> shards = encode(new Code.Systematic());
    Calls calls = decode(shards, new CopyOnWriteArrayList<>());
    assertThat(calls.copies()).isZero();
    assertThat(calls.launches()).isZero();
    assertThat(calls.waits()).isZero();
  }

  /** Expects a few jobs for all generations, not a copy per block. */
  @ParameterizedTest
  @CsvSource({"1", "5", "8"})
  void onlyMissingBlocksAreComputed(int lost) throws Exception {
    List<Path> shards = encode(new Code.Systematic());
    List<Phase> phases = new CopyOnWriteArrayList<>();
    Calls calls = decode(shards.subList(lost, SHARDS), phases);
    assertThat(calls.copies()).isLessThanOrEqualTo(GENERATIONS / 2);
    assertThat(calls.launches()).isLessThanOrEqualTo(GENERATIONS / 2);
    assertThat(calls.waits()).isLessThanOrEqualTo(GENERATIONS / 2);
    // Each generation is uploaded once, and only the lost blocks are downloaded.
    long solved = (long) GENERATIONS * lost;
    assertThat(bytes(phases, "download")).isLessThanOrEqualTo(solved * (K + 2 * N));
    assertThat(bytes(phases, "upload"))
        .isLessThanOrEqualTo((long) GENERATIONS * N * K + solved * 4 * N);
  }

  /** All blocks of a dense code are computed: vectors and payloads go up, sources come down. */
  @Test
  void aDenseGenerationCrossesOnceEachWay() throws Exception {
    List<Path> shards = encode(new Code.Dense());
    List<Phase> phases = new CopyOnWriteArrayList<>();
    Calls calls = decode(shards.subList(5, SHARDS), phases);
    assertThat(calls.copies()).isLessThanOrEqualTo(2 * GENERATIONS);
    assertThat(calls.launches()).isLessThanOrEqualTo(GENERATIONS);
    assertThat(bytes(phases, "download")).isEqualTo((long) GENERATIONS * N * K);
    // One generation in 255 has dependent blocks among its first n, and goes up again.
    long generation = (long) N * (K + N);
    assertThat(bytes(phases, "upload"))
        .isBetween(GENERATIONS * generation, (GENERATIONS + 1) * generation);
  }

  private static long bytes(List<Phase> phases, String name) {
    return phases.stream().filter(phase -> phase.name().equals(name)).mapToLong(Phase::bytes).sum();
  }
}
