package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.stream.ProgressListener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ShardInspectorTest {

  private static final int CASES = 200;
  private static final int N = 4;
  private static final int K = 32;

  @TempDir private Path directory;

  /** The result of an inspection, and the calls of its listener in order. */
  private record Findings(ShardReport report, RankSummary ranks, List<String> generations) {}

  private static Findings inspect(Engine engine, List<Path> shards) throws Exception {
    List<String> named = new ArrayList<>();
    GenerationListener listener =
        new GenerationListener() {
          @Override
          public void start() {
            named.clear();
          }

          @Override
          public void generation(long generation, int blocks, long codedBlocks, int rank) {
            named.add("%d: %d of %d, %d".formatted(generation, rank, blocks, codedBlocks));
          }
        };
    InspectionResult result = new ShardInspector(engine).inspect(shards, listener);
    return new Findings(result.report(), result.ranks(), named);
  }

  @Test
  void severalThreadsFindWhatOneFinds() throws Exception {
    Random random = new Random(2);
    try (Engine one = Engine.open("cpu", new EngineOptions(1));
        Engine two = Engine.open("cpu", new EngineOptions(2));
        Engine five = Engine.open("cpu", new EngineOptions(5))) {
      byte[] content = new byte[40 * N * K - 7];
      random.nextBytes(content);
      GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), N, K);
      List<Path> shards =
          new FileEncoder(one, new EncodingParameters(shape, 5, 1.5, 3))
              .encode(new ByteArrayInputStream(content), "data", directory, ProgressListener.NONE)
              .shards();
      assertThat(inspect(five, shards).ranks().isComplete()).isTrue();
      for (int i = 0; i < CASES; i++) {
        List<Path> some = new ArrayList<>(shards.subList(random.nextInt(4), shards.size()));
        int victim = random.nextInt(some.size());
        if (random.nextInt(4) > 0 && some.size() > 1) {
          Path damaged = directory.resolve("damaged" + victim);
          Files.write(damaged, damage(Files.readAllBytes(some.get(victim)), random));
          some.set(victim, damaged);
        }
        Findings right = inspect(one, some);
        assertThat(inspect(two, some)).as("case %d, 2 threads", i).isEqualTo(right);
        assertThat(inspect(five, some)).as("case %d, 5 threads", i).isEqualTo(right);
      }
    }
  }

  private static byte[] damage(byte[] file, Random random) throws IOException {
    int at = random.nextInt(file.length);
    int length = Math.min(1 + random.nextInt(3 * K), file.length - at);
    byte[] rest = Arrays.copyOfRange(file, at + length, file.length);
    return switch (random.nextInt(6)) {
      case 0 -> Arrays.copyOf(file, at);
      case 1 -> concat(Arrays.copyOf(file, at), rest);
      case 2 -> concat(Arrays.copyOf(file, at), Arrays.copyOfRange(file, at - at % 7, file.length));
      case 3 -> concat(file, rest);
      case 4 -> move(file, at, length, at + length + random.nextInt(file.length - at - length + 1));
      default -> {
        file[at] ^= 1;
        yield file;
      }
    };
  }

  /** Moves some bytes, so that those between are displaced and all others are in their places. */
  private static byte[] move(byte[] file, int at, int length, int to) {
    byte[] moved = Arrays.copyOfRange(file, at, at + length);
    System.arraycopy(file, at + length, file, at, to - at - length);
    System.arraycopy(moved, 0, file, to - length, length);
    return file;
  }

  private static byte[] concat(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }
}
