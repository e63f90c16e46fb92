package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.file.DamagedInput;
import io.fieldstone.stream.file.PositionedInput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of generations, coded apart from each other: on shards in memory. */
class RangesTest {

  private static final Engine ENGINE = Engine.open("cpu");
  private static final EncodingParameters PARAMETERS = EncodingParameters.anyOf(16, 64, 5, 8, 3);
  private static final int GENERATION = 16 * 64;

  /** Nine generations and a part of the tenth, whose last block is padded. */
  private static final int LENGTH = 9 * GENERATION + 333;

  private static final List<Integer> ALL = IntStream.range(0, 8).boxed().toList();

  @TempDir private Path directory;
  private final byte[] file = new byte[LENGTH];
  private final List<byte[]> shards = new ArrayList<>();

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  @BeforeEach
  void encode() throws Exception {
    new Random(1).nextBytes(file);
    Path source = Files.write(directory.resolve("file"), file);
    new FileEncoder(ENGINE, PARAMETERS).encode(source, directory, ProgressListener.NONE);
    for (int shard : ALL) {
      shards.add(Files.readAllBytes(directory.resolve(PARAMETERS.shardFile("file", shard))));
    }
  }

  /** A shard in memory. */
  private record Memory(Path name, byte[] bytes)
      implements PositionedInput, PositionedInput.Opener {
    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public long read(MemorySegment destination, long position) {
      long count = Math.clamp(bytes.length - position, 0, destination.byteSize());
      MemorySegment.copy(MemorySegment.ofArray(bytes), position, destination, 0, count);
      return count;
    }

    @Override
    public PositionedInput open() {
      return this;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  private RangeDecoder open(int... numbers) throws IOException {
    return RangeDecoder.open(
        ENGINE,
        IntStream.of(numbers)
            .mapToObj(shard -> new Memory(Path.of("shard" + shard), shards.get(shard)))
            .toList());
  }

  private static void append(
      Map<Integer, ByteArrayOutputStream> all, int shard, MemorySegment part) {
    all.computeIfAbsent(shard, _ -> new ByteArrayOutputStream())
        .writeBytes(part.toArray(ValueLayout.JAVA_BYTE));
  }

  private byte[] whole(int shard, HashesSection hashes, long id, ByteArrayOutputStream records) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(RangeEncoder.header(PARAMETERS, "file", LENGTH, hashes, id, shard).toBytes());
    all.writeBytes(records.toByteArray());
    all.writeBytes(hashes.toBytes());
    return all.toByteArray();
  }

  /** Ranges of a few generations, the last first. */
  @Test
  void rangesMakeTheShardsOfTheFileEncoder() throws IOException {
    MemorySegment bytes = MemorySegment.ofArray(file);
    long id = RangeEncoder.recordId(PARAMETERS, bytes.asSlice(0, GENERATION));
    TreeMap<Long, List<Sha256>> hashes = new TreeMap<>();
    TreeMap<Long, Map<Integer, ByteArrayOutputStream>> ranges = new TreeMap<>();
    try (RangeEncoder encoder = new RangeEncoder(ENGINE, PARAMETERS, 3 * GENERATION)) {
      int step = Math.toIntExact(encoder.maxBytes() / GENERATION);
      for (long first = 9 / step * step; first >= 0; first -= step) {
        long at = first * GENERATION;
        Map<Integer, ByteArrayOutputStream> records = new TreeMap<>();
        MemorySegment range = bytes.asSlice(at, Math.min((long) step * GENERATION, LENGTH - at));
        hashes.put(
            first,
            encoder.encode(range, first, id, ALL, (shard, part) -> append(records, shard, part)));
        ranges.put(first, records);
      }
      assertThatThrownBy(() -> encoder.encode(bytes, 0, id, ALL, (_, _) -> {}))
          .hasMessageContaining(LENGTH + " bytes are more than");
    }
    HashesSection.Builder builder = new HashesSection.Builder();
    hashes.values().forEach(each -> each.forEach(builder::add));
    HashesSection section = builder.build();
    for (int shard : ALL) {
      ByteArrayOutputStream records = new ByteArrayOutputStream();
      int header = RangeEncoder.header(PARAMETERS, "file", LENGTH, section, id, shard).byteSize();
      for (Map.Entry<Long, Map<Integer, ByteArrayOutputStream>> range : ranges.entrySet()) {
        assertThat(RangeEncoder.recordsAt(PARAMETERS, "file", LENGTH, shard, range.getKey()))
            .isEqualTo(header + records.size());
        if (range.getValue().containsKey(shard)) {
          records.writeBytes(range.getValue().get(shard).toByteArray());
        }
      }
      assertThat(whole(shard, section, id, records)).isEqualTo(shards.get(shard));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 9})
  void aRangeIsDecodedFromAnyFiveShards(int from) throws Exception {
    int end = Math.min(10, from + 3);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    try (RangeDecoder decoder = open(1, 3, 4, 6, 7)) {
      assertThat(decoder.isDivisible()).isTrue();
      decoder.decode(
          from, end, (_, part) -> decoded.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)));
    }
    int bytes = Math.min(LENGTH, end * GENERATION) - from * GENERATION;
    assertThat(decoded.toByteArray())
        .isEqualTo(
            MemorySegment.ofArray(file)
                .asSlice((long) from * GENERATION, bytes)
                .toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void damagedBlocksAreReplacedAndTooFewAreReported() throws Exception {
    for (int i = 400; i < shards.get(0).length - 400; i += 100) {
      shards.get(0)[i] ^= 1;
    }
    ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    try (RangeDecoder decoder = open(0, 1, 2, 3, 4, 5)) {
      decoder.decode(0, 10, (_, part) -> decoded.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)));
    }
    assertThat(decoded.toByteArray()).isEqualTo(file);
    try (RangeDecoder decoder = open(0, 1, 2, 3)) {
      assertThatThrownBy(() -> decoder.decode(2, 5, (_, _) -> {}))
          .isInstanceOf(ShortRankException.class);
    }
  }

  /** Lost shards with source blocks, and with coded blocks only, have the same bytes again. */
  @Test
  void lostShardsAreMadeAgain() throws Exception {
    List<Integer> lost = List.of(0, 5, 7);
    Map<Integer, ByteArrayOutputStream> records = new TreeMap<>();
    try (RangeDecoder decoder = open(1, 2, 3, 4, 6);
        RangeEncoder encoder = new RangeEncoder(ENGINE, PARAMETERS, LENGTH)) {
      HashesSection hashes = decoder.hashes().orElseThrow();
      long id = RangeEncoder.recordId(PARAMETERS, hashes);
      for (long from = 0; from < 10; from += 4) {
        decoder.decode(
            from,
            Math.min(10, from + 4),
            (first, part) ->
                encoder.repair(
                    part, first, id, lost, (shard, made) -> append(records, shard, made)));
      }
      for (int shard : lost) {
        assertThat(whole(shard, hashes, id, records.get(shard))).isEqualTo(shards.get(shard));
      }
    }
  }

  @Test
  void aFileOfThisMachineIsReadAtPositions() throws IOException {
    PositionedInput.Opener opener = DamagedInput.opener(directory.resolve("file"));
    try (PositionedInput input = opener.open()) {
      assertThat(input.name()).isEqualTo(opener.name());
      assertThat(input.size()).isEqualTo(LENGTH);
      byte[] end = new byte[100];
      assertThat(input.read(MemorySegment.ofArray(end), LENGTH - 60)).isEqualTo(60);
      for (int i = 0; i < 60; i++) {
        assertThat(end[i]).isEqualTo(file[LENGTH - 60 + i]);
      }
    }
  }
}
