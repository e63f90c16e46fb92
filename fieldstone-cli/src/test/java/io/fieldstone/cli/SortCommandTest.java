package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SortCommandTest {

  private static final int COUNT = 50_000;

  @TempDir Path directory;

  private static RunOf sort(Object... arguments) {
    List<String> words = new ArrayList<>(List.of("sort"));
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    return RunOf.fieldstone(words.toArray(String[]::new));
  }

  private Path longs(long... keys) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8 * keys.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(keys);
    return Files.write(directory.resolve("keys.bin"), bytes.array());
  }

  private static long[] longs(Path file) throws IOException {
    long[] keys = new long[(int) (Files.size(file) / 8)];
    ByteBuffer.wrap(Files.readAllBytes(file))
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .get(keys);
    return keys;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--memory 1M", "--method lsd", "--method comparison", "--threads 1"})
  void sortsInMemoryAndOutOfIt(String options) throws IOException {
    long[] keys = new SplittableRandom(1).longs(COUNT).toArray();
    Path file = longs(keys);
    Path output = directory.resolve("sorted.bin");
    List<Object> words = new ArrayList<>(List.of(file, "-o", output, "--type", "i64", "--verify"));
    words.addAll(options.isEmpty() ? List.of() : List.of(options.split(" ")));

    RunOf run = sort(words.toArray());

    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("50,000 records of i64", "verified: in order", "keys/s")
        .contains(options.contains("memory") ? "runs in 1.0 MiB of memory" : "in memory");
    assertThat(longs(file)).isEqualTo(keys);
    Arrays.sort(keys);
    assertThat(longs(output)).isEqualTo(keys);
    assertThat(names()).containsExactly("keys.bin", "sorted.bin");
  }

  @Test
  void theGreatestFirstAndPayloadsInTheirOrder() throws IOException {
    // Keys 1 2 1 2 in the low halves, payloads above them.
    Path file = longs(1L | 10L << 32, 2L | 11L << 32, 1L | 12L << 32, 2L | 13L << 32);

    RunOf run = sort(file, "-o", file, "--type", "U32", "--payload", 4, "--order", "DESC", "-q");

    assertThat(run).isEqualTo(new RunOf(0, "", ""));
    assertThat(longs(file))
        .containsExactly(2L | 11L << 32, 2L | 13L << 32, 1L | 10L << 32, 1L | 12L << 32);
  }

  @Test
  void reportsWhetherAFileIsInOrder() throws IOException {
    Path file = longs(1, 2, 2, 3);
    assertThat(sort(file, "--check", "--type", "u64"))
        .satisfies(run -> {
          assertThat(run.status()).isZero();
          assertThat(run.err()).isEmpty();
          assertThat(run.out()).contains("4 records of u64, in order\nfingerprint ");
        });
    RunOf falling = sort(file, "-c", "--type", "u64", "--order", "desc");
    assertThat(falling.status()).isEqualTo(1);
    assertThat(falling.out()).contains("not in order");
    assertThat(falling.err())
        .isEqualTo("fieldstone: record 1, at byte 8, is out of order: " + file + "\n");
  }

  @Test
  void theFingerprintStaysWhenAFileIsSorted() throws IOException {
    Path file = longs(new SplittableRandom(2).longs(1000).toArray());
    JsonNode before =
        JsonMapper.shared().readTree(sort(file, "--check", "--type", "f64", "--json").out());
    assertThat(before.get("isInOrder").asBoolean()).isFalse();
    assertThat(before.get("firstOutOfOrder").asLong()).isPositive();

    JsonNode sorted =
        JsonMapper.shared()
            .readTree(sort(file, "-o", file, "--type", "f64", "--verify", "--json").out());
    assertThat(sorted.get("records").asInt()).isEqualTo(1000);
    assertThat(sorted.get("runs").asInt()).isEqualTo(1);
    assertThat(sorted.get("method").asString()).isEqualTo("auto");
    assertThat(sorted.get("fingerprint")).isEqualTo(before.get("fingerprint"));

    JsonNode after =
        JsonMapper.shared().readTree(sort(file, "--check", "--type", "f64", "--json").out());
    assertThat(after.get("isInOrder").asBoolean()).isTrue();
    assertThat(after.get("fingerprint")).isEqualTo(before.get("fingerprint"));
  }

  @Test
  void anEmptyFileIsSorted() throws IOException {
    Path file = longs();
    assertThat(sort(file, "-o", file, "--type", "f32", "--verify").out())
        .contains("0 records of f32");
    assertThat(sort(file, "--check", "--type", "f32").status()).isZero();
    assertThat(names()).containsExactly("keys.bin");
  }

  @Test
  void aWrongMethodListsThoseThereAre() throws IOException {
    RunOf run = sort(longs(1), "-o", directory.resolve("x"), "--type", "u64", "--method", "bogo");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("--method: no method 'bogo' for u64", "lsd, msd-lsd");
  }

  @Test
  void theTemporaryFileIsInTheGivenDirectory() throws IOException {
    Path file = longs(new SplittableRandom(3).longs(COUNT).toArray());
    Path temporary = Files.createDirectory(directory.resolve("scratch"));
    RunOf run =
        sort(file, "-o", file, "--type", "u64", "--memory", "500K", "--temp", temporary, "-v");
    assertThat(run.status()).isZero();
    assertThat(run.err()).contains("stage spill", "stage merge", "stage write");
    assertThat(sort(file, "--check", "--type", "u64").status()).isZero();
    assertThat(names()).containsExactly("keys.bin", "scratch");
    assertThat(temporary).isEmptyDirectory();
  }
}
