package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.params.provider.CsvSource;
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
    assertThat(sorted.get("methodsTaken").get(0).asString()).isEqualTo("msd-lsd");
    assertThat(sorted.get("fingerprint")).isEqualTo(before.get("fingerprint"));

    JsonNode after =
        JsonMapper.shared().readTree(sort(file, "--check", "--type", "f64", "--json").out());
    assertThat(after.get("isInOrder").asBoolean()).isTrue();
    assertThat(after.get("fingerprint")).isEqualTo(before.get("fingerprint"));
  }

  @Test
  void saysWhichMethodItTook() throws IOException {
    Path file = longs(new SplittableRandom(5).longs(1000).toArray());

    assertThat(sort(file, "-o", file, "--type", "u64").out())
        .contains("method auto (msd-lsd), in memory");
    assertThat(sort(file, "-o", file, "--type", "u64").out())
        .contains("method auto (presorted), in memory");
    assertThat(sort(file, "-o", file, "--type", "u64", "--method", "lsd").out())
        .contains("method lsd, in memory");
  }

  @Test
  void keysMayBeStringsOfBytes() throws IOException {
    Path file =
        Files.writeString(directory.resolve("lines"), "1 pear \n2 apple\n3 fig  \n4 apple\n");

    RunOf run = sort(file, "-o", file, "--key", "2:5", "--record", "8", "--verify");

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("4 records of 5-byte string at byte 2 in records of 8 bytes")
        .contains("verified: in order");
    assertThat(file).hasContent("2 apple\n4 apple\n3 fig  \n1 pear \n");
    assertThat(sort(file, "--check", "--key", "2:5", "--payload", "1").status()).isZero();
    assertThat(sort(file, "--check", "--key", "0:1", "--record", "8").err())
        .contains("record 2, at byte 16, is out of order");
  }

  @Test
  void numbersMayBeBigEndianAndInTheMiddleOfARecord() throws IOException {
    ByteBuffer records = ByteBuffer.allocate(3 * 7);
    int[] keys = {1 << 16, -1, 1 << 8};
    for (int i = 0; i < keys.length; i++) {
      records.put((byte) i).putInt(keys[i]).put((byte) 0).put((byte) 0);
    }
    Path file = Files.write(directory.resolve("records"), records.array());
    List<String> common = List.of("--type", "i32", "--big-endian", "--key-offset", "1");
    List<Object> words = new ArrayList<>(List.of(file, "-o", file, "--record", "7"));
    words.addAll(common);

    RunOf run = sort(words.toArray());

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("i32, big-endian at byte 1 in records of 7 bytes");
    byte[] sorted = Files.readAllBytes(file);
    assertThat(new byte[] {sorted[0], sorted[7], sorted[14]}).containsExactly(1, 2, 0);
    List<Object> check = new ArrayList<>(List.of(file, "--check", "--payload", "2"));
    check.addAll(common);
    assertThat(sort(check.toArray()).status()).isZero();
  }

  /** 32 bytes of text are four records of 64 bits. */
  @Test
  void refusesTextThatMerelyFits() throws IOException {
    Path file = Files.writeString(directory.resolve("text"), "the quick brown fox jumps over.\n");

    for (String mode : List.of("--check", "-q")) {
      RunOf run = sort(file, mode, mode.equals("-q") ? "-o" + file : "-q", "--type", "u64");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .isEqualTo(
              "fieldstone: looks like text, not like records of u64; --allow-text sorts it"
                  + " nevertheless: %s\n".formatted(file));
    }
    assertThat(file).hasContent("the quick brown fox jumps over.\n");
    assertThat(sort(file, "-o", file, "--type", "u64", "--allow-text", "-q"))
        .isEqualTo(new RunOf(0, "", ""));
    Files.write(file, new byte[] {'t', 'e', 'x', 't', 0, 'x', 'y', 'z', 1, 2, 3, 4, 5, 6, 7, 8});
    assertThat(sort(file, "-o", file, "--type", "u64").status()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        " | missing required option: '--type=TYPE' (or --key)",
        "--type u32 --key 0:4 | excludes --type",
        "--key 0:4 --big-endian | need --type",
        "--key 0:4 --key-offset 1 | need --type",
        "--type u32 --payload 4 --record 8 | excludes --payload",
        "--key 4 | --key '4' is neither OFFSET:LENGTH nor TYPE@OFFSET",
        "--key 1:2:3 | --key '1:2:3' is neither OFFSET:LENGTH nor TYPE@OFFSET",
        "--key 0:4 | missing required option: '--record=BYTES', the bytes of a record",
        "--key u32@0,u32@2 --record 8 | the keys 'u32 at byte 0' and 'u32 at byte 2' overlap",
        "--key u32@0,u32@6 --record 8 | a key of 10 bytes at byte 0 is not in a record of 8 bytes",
        "--key u33@0 --record 8 | no key type 'u33'",
        "--unique --type u64 | --check excludes the options of sorting, and -o",
        "--key 0:x | --key: ",
        "--key 0:0 | --key 0 is not in 1",
        "--key 5:4 --record 8 | a key of 4 bytes at byte 5 is not in a record of 8 bytes",
        "--type u64 --record 4 | a key of 8 bytes at byte 0 is not in a record of 4 bytes",
        "--type u64 --key-offset 99M | --key-offset",
      })
  void refusesLayoutsThatCannotBe(String options, String problem) throws IOException {
    List<Object> words = new ArrayList<>(List.of(longs(1, 2), "--check"));
    words.addAll(options == null ? List.of() : List.of(options.split(" ")));

    RunOf run = sort(words.toArray());

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(problem);
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

  /** Without the length of a record, sorting would move parts of records. */
  @Test
  void aKeyWithoutTheLengthOfARecordIsRefused() throws IOException {
    Path file = longs(3, 2, 1, 0, 9);

    RunOf run = sort(file, "-o", file, "--key", "0:10");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("missing required option: '--record=BYTES'");
    assertThat(longs(file)).containsExactly(3, 2, 1, 0, 9);
  }

  /** Equal numbers in the low halves; the greater number in the high halves comes first. */
  @Test
  void severalKeysHaveDirectionsOfTheirOwn() throws IOException {
    Path file = longs(5L | 1L << 32, -1L & 0xFFFFFFFFL, 5L | 7L << 32, 5L | 3L << 32);

    RunOf run = sort(file, "-o", file, "--key", "i32@0,u32@4:desc", "--record", 8);

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("i32 at byte 0, u32 at byte 4 descending in records of 8 bytes, 32 B");
    assertThat(longs(file))
        .containsExactly(-1L & 0xFFFFFFFFL, 5L | 7L << 32, 5L | 3L << 32, 5L | 1L << 32);
    assertThat(sort(file, "--check", "--key", "i32@0,4:1:desc", "--payload", 3).status()).isZero();
  }

  @Test
  void keepsDistinctKeysAndTheFirst() throws IOException {
    Path file = longs(4, 1, 4, 3, 1);
    Path output = directory.resolve("out");

    RunOf run = sort(file, "-o", output, "--type", "u64", "--unique", "--verify");
    assertThat(run.out()).contains("5 records of u64, 40 B", "3 records kept");
    assertThat(longs(output)).containsExactly(1, 3, 4);

    assertThat(sort(file, "-o", output, "--type", "u64", "--top", 2, "-u", "--order", "desc").err())
        .isEmpty();
    assertThat(longs(output)).containsExactly(4, 3);
  }

  @Test
  void mergesFiles() throws IOException {
    Path second = Files.move(longs(2, 3), directory.resolve("b"));
    Path third = Files.move(longs(5, 4), directory.resolve("c"));
    Path first = longs(1, 9);
    Path output = directory.resolve("out");

    RunOf run = sort("--merge", first, second, "-o", output, "--type", "u64", "--verify");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("4 records of u64, 32 B\nmerged from 2 files\nverified");
    assertThat(longs(output)).containsExactly(1, 2, 3, 9);

    RunOf unsorted = sort("--merge", first, third, "-o", output, "--type", "u64");
    assertThat(unsorted.status()).isEqualTo(1);
    assertThat(unsorted.err())
        .isEqualTo(
            "fieldstone: record 1, at byte 8, is out of order; only sorted files are merged: %s\n"
                .formatted(third));
    assertThat(longs(output)).containsExactly(1, 2, 3, 9);
    assertThat(sort(first, second, "-o", output, "--type", "u64").err())
        .contains("several files are only merged (--merge), not 2");
  }

  @Test
  void sortsStandardInput() throws IOException {
    Path output = directory.resolve("out");
    byte[] bytes = Files.readAllBytes(longs(3, 1, 2));

    RunOf run =
        RunOf.reading(
            new ByteArrayInputStream(bytes), "sort", "-", "-o", output.toString(), "--type", "u64");
    assertThat(run.err()).isEmpty();
    assertThat(longs(output)).containsExactly(1, 2, 3);

    RunOf part =
        RunOf.reading(
            new ByteArrayInputStream(new byte[9]),
            "sort",
            "-",
            "-o",
            output.toString(),
            "--type",
            "u64");
    assertThat(part.status()).isEqualTo(1);
    assertThat(part.err()).contains("size 9 is not a multiple of 8", "standard input");
    RunOf text =
        RunOf.reading(
            new ByteArrayInputStream(
                "the quick brown fox jumps over.\n".getBytes(StandardCharsets.UTF_8)),
            "sort",
            "-",
            "-o",
            output.toString(),
            "--type",
            "u64");
    assertThat(text.err()).contains("looks like text", "standard input");
    assertThat(longs(output)).containsExactly(1, 2, 3);
  }

  @Test
  void sortsArraysOfNumpy() throws IOException {
    Path file = longs(30, 10, 20);
    Path array = directory.resolve("x.npy");
    Path order = directory.resolve("order.npy");

    assertThat(sort(file, "-o", array, "--type", "i64", "--order", "desc").err()).isEmpty();
    assertThat(Files.readString(array, StandardCharsets.ISO_8859_1))
        .contains("NUMPY", "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }");
    RunOf run = sort(array, "--argsort", "-o", order);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("order.npy: the order of 3 records of i64");
    assertThat(sort(array, "-o", array).err()).isEmpty();
    assertThat(sort(array, "--check").out()).contains("3 records of i64, in order");
    assertThat(sort(order, "-o", file.resolveSibling("raw")).status()).isZero();
    assertThat(longs(directory.resolve("raw"))).containsExactly(0, 1, 2);
    assertThat(sort(array, "-o", array, "--type", "u32").err())
        .contains("a .npy file names its type, here i64");
    Files.write(array, new byte[] {1, 2, 3});
    assertThat(sort(array, "-o", array).err())
        .isEqualTo(
            "fieldstone: not a .npy file: it does not begin with \\x93NUMPY (at byte 0): %s\n"
                .formatted(array));
    assertThat(sort(file, "-o", array, "--type", "u32", "--payload", 4).err())
        .contains("a .npy file has keys only");
  }
}
