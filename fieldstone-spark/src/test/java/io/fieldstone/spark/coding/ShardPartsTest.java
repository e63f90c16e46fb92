package io.fieldstone.spark.coding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.RangeEncoder;
import io.fieldstone.spark.LocalSpark;
import io.fieldstone.spark.storage.Storage;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardPartsTest {

  private static final CodingOptions OPTIONS = new CodingOptions(16, 512, 2, 3, 7);
  private static final int GENERATION = 16 * 512;

  @TempDir Path folder;

  private ShardParts attempt(int length, boolean shares) {
    BitSet sharing = new BitSet();
    sharing.set(0, shares);
    ArrayList<String> staging = new ArrayList<>(List.of("file:" + folder));
    return new ShardParts(
        Storage.of(LocalSpark.CONTEXT),
        new ShardParts.Range(OPTIONS.parameters(), 0, "object", length, 1),
        new ShardAssembly.Paths(staging, staging, sharing),
        ShardParts.all(OPTIONS.parameters()),
        Optional.empty());
  }

  /** Generations 1 and 2 of three, by two attempts in turns; one of them ends before the second. */
  @Test
  void attemptsAtTheSameTimeWriteEqualRecordsToTheSamePlaces() throws Exception {
    byte[] bytes = new byte[2 * GENERATION];
    new Random(1).nextBytes(bytes);
    MemorySegment first = MemorySegment.ofArray(bytes).asSlice(0, GENERATION);
    MemorySegment second = MemorySegment.ofArray(bytes).asSlice(GENERATION);
    int length = 3 * GENERATION;
    EncodingParameters parameters = OPTIONS.parameters();
    try (Engine engine = Engine.open("cpu");
        RangeEncoder encoder = new RangeEncoder(engine, parameters, length);
        ShardParts alone = attempt(length, false);
        ShardParts one = attempt(length, true);
        ShardParts other = attempt(length, true);
        ShardParts stopped = attempt(length, true)) {
      alone.add(encoder, first, 1, 5);
      alone.add(encoder, second, 2, 5);
      one.add(encoder, first, 1, 5);
      one.add(encoder, second, 2, 5);
      other.add(encoder, first, 1, 5);
      stopped.add(encoder, first, 1, 5);
      ShardParts.Written written = one.finish(5);
      other.add(encoder, second, 2, 5);
      assertThat(other.finish(5).files()).isEqualTo(written.files());
      ShardParts.Written expected = alone.finish(5);
      for (int shard = 0; shard < OPTIONS.shards(); shard++) {
        byte[] file = Files.readAllBytes(local(written, shard));
        byte[] records = Files.readAllBytes(local(expected, shard));
        long at = RangeEncoder.recordsAt(parameters, "object", length, shard, 1);
        assertThat(file).hasSize((int) at + records.length).endsWith(records);
      }
    }
  }

  private static Path local(ShardParts.Written written, int shard) {
    return Path.of(java.net.URI.create(written.files().get(shard)).getPath());
  }
}
