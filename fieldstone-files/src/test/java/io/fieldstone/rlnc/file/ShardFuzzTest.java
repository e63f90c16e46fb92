package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.wire.ShardHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shards changed in every way, CRCs made right again or not, through all that reads them: the right
 * file, or a checked exception with the reason.
 */
@Timeout(120) // A reader that hangs on bad input must fail; all tests are short.
class ShardFuzzTest {

  private static final int CASES = 200;
  private static final int GENERATIONS = 4;
  private static final byte[] CONTENT = ShardFiles.content(GENERATIONS * 8 * 40 - 77);
  private static final int RECORD_HEADER = 64;
  private static final int RECORD_CRC_AT = 60;

  /** Where a header has its fields, and how long they are. The manifest starts at 40. */
  private static final int[][] HEADER_FIELDS = {
    {10, 2}, {12, 2}, {14, 2}, {16, 8}, {24, 8}, {32, 2}, {34, 2}, {36, 4}, {40, 8}, {48, 1},
    {49, 1}, {50, 1}, {51, 1}, {52, 4}, {56, 4}, {60, 8}, {68, 8}, {76, 8}, {108, 1}, {110, 4}
  };

  /** Where a record has its fields, and how long they are. */
  private static final int[][] RECORD_FIELDS = {
    {0, 4}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 8}, {16, 8}, {24, 8}, {32, 4}, {36, 4}, {40, 4},
    {44, 4}, {48, 4}, {52, 8}, {64, 1}, {70, 8}
  };

  @TempDir private Path directory;

  @Test
  void anyShardContentGivesTheFileOrAFailureWithAReason() throws Exception {
    Map<String, Integer> outcomes = new TreeMap<>();
    try (Engine engine = Engine.open("cpu:scalar")) {
      ShardFiles files = new ShardFiles(engine, directory);
      List<Code> codes =
          List.of(
              new Code.Systematic(),
              new Code.Dense(),
              Code.Sparse.ofDensity(0.6),
              new Code.Pipeline(0.5));
      List<List<Path>> objects = new ArrayList<>();
      for (Code code : codes) {
        List<Path> shards = new ArrayList<>(files.encode(CONTENT, code, 4, 1));
        shards.add(files.recode(shards, 5, 1));
        shards.add(files.recode(shards.subList(0, 2), 3, 2));
        objects.add(shards);
      }
      for (int seed = 0; seed < CASES; seed++) {
        Random random = new Random(seed);
        List<Path> given = given(files, objects.get(random.nextInt(codes.size())), random);
        outcomes.merge("decode " + decode(files, given, seed), 1, Integer::sum);
        outcomes.merge("inspect " + failure(() -> files.inspect(given), seed), 1, Integer::sum);
        outcomes.merge(
            "recode " + failure(() -> files.recoded(given, 2, 1), seed), 1, Integer::sum);
      }
    }
    assertThat(outcomes)
        .containsKeys(
            "decode done",
            "decode ShortRankException",
            "decode DigestMismatchException",
            "decode MalformedShardException",
            "inspect done",
            "recode done",
            "recode PollutedShardsException");
  }

  /** Something that may fail. */
  private interface Work {
    void run() throws Exception;
  }

  private static String decode(ShardFiles files, List<Path> given, int seed) {
    return failure(() -> assertThat(files.decoded(given)).isEqualTo(CONTENT), seed);
  }

  /** The name of the checked exception that work ends with, or "done". */
  private static String failure(Work work, int seed) {
    try {
      work.run();
      return "done";
    } catch (IOException e) {
      assertThat(e).message().as("seed %d", seed).isNotBlank();
      return e.getClass().getSimpleName();
    } catch (Exception e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  /** Some of an object's shards in some order, most of them changed. */
  private static List<Path> given(ShardFiles files, List<Path> shards, Random random)
      throws Exception {
    List<Path> given = new ArrayList<>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      Path shard = shards.get(random.nextInt(shards.size()));
      byte[] bytes = Files.readAllBytes(shard);
      ShardHeader header = ShardInspector.header(shard);
      int changes = i == 0 && random.nextBoolean() ? 0 : random.nextInt(4);
      for (int change = 0; change < changes; change++) {
        bytes = changed(bytes, header, random);
      }
      given.add(changes == 0 ? shard : files.write(shard, bytes));
    }
    return given;
  }

  private static byte[] changed(byte[] shard, ShardHeader header, Random random) {
    if (shard.length < header.byteSize() + 2 * header.recordBytes()) {
      return shard;
    }
    int end = header.hashesAt() == 0 ? shard.length : (int) header.hashesAt();
    int records = (Math.min(shard.length, end) - header.byteSize()) / header.recordBytes();
    int at = header.byteSize() + random.nextInt(records) * header.recordBytes();
    switch (random.nextInt(7)) {
      case 0 -> shard[random.nextInt(shard.length)] ^= (byte) (1 << random.nextInt(8));
      case 1 -> {
        change(shard, 0, HEADER_FIELDS, random);
        makeHeaderRight(shard, header.byteSize());
      }
      case 2 -> {
        change(shard, at, RECORD_FIELDS, random);
        makeRecordRight(shard, at, header.recordBytes());
      }
      case 3 -> ShardFiles.pollute(shard, header, random.nextInt(records));
      case 4 -> {
        int other = header.byteSize() + random.nextInt(records) * header.recordBytes();
        byte[] record = Arrays.copyOfRange(shard, at, at + header.recordBytes());
        System.arraycopy(shard, other, shard, at, header.recordBytes());
        System.arraycopy(record, 0, shard, other, header.recordBytes());
      }
      case 5 -> {
        return spliced(shard, random);
      }
      default -> {
        return Arrays.copyOf(shard, random.nextInt(2 * shard.length));
      }
    }
    return shard;
  }

  /** A part of a file put in the place of another part of it. */
  private static byte[] spliced(byte[] file, Random random) {
    int at = random.nextInt(file.length);
    int cut = random.nextInt(Math.min(300, file.length - at));
    int from = random.nextInt(file.length);
    int copied = random.nextInt(Math.min(300, file.length - from));
    return ByteBuffer.allocate(file.length - cut + copied)
        .put(file, 0, at)
        .put(file, from, copied)
        .put(file, at + cut, file.length - at - cut)
        .array();
  }

  private static void change(byte[] shard, int start, int[][] fields, Random random) {
    int[] field = fields[random.nextInt(fields.length)];
    int at = start + field[0];
    switch (random.nextInt(4)) {
      case 0 -> Arrays.fill(shard, at, at + field[1], (byte) 0);
      case 1 -> Arrays.fill(shard, at, at + field[1], (byte) 0xFF);
      case 2 -> shard[at + field[1] - 1] += (byte) (1 + random.nextInt(3));
      default -> shard[at + random.nextInt(field[1])] = (byte) random.nextInt();
    }
  }

  private static void makeHeaderRight(byte[] shard, int length) {
    CRC32C crc = new CRC32C();
    crc.update(shard, 0, length - Integer.BYTES);
    ByteBuffer.wrap(shard).putInt(length - Integer.BYTES, (int) crc.getValue());
  }

  private static void makeRecordRight(byte[] shard, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(shard, at, RECORD_CRC_AT);
    crc.update(shard, at + RECORD_HEADER, length - RECORD_HEADER);
    ByteBuffer.wrap(shard).putInt(at + RECORD_CRC_AT, (int) crc.getValue());
  }
}
