package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.crypto.DecryptionException;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.file.PositionedInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Decodes ranges of the generations of an object from any of its shards that together have full
 * rank, independently of each other, for jobs on several machines. It verifies what {@link
 * FileDecoder} verifies, and skips damaged records as it does.
 *
 * <p>For one thread at a time.
 */
public final class RangeDecoder implements AutoCloseable {

  /** Receives decoded bytes, in memory that is valid during the call. */
  public interface Sink {

    /** Takes the bytes of whole generations, in order; the last ones of the object may be fewer. */
    void take(long firstGeneration, MemorySegment bytes) throws IOException;
  }

  private final Engine engine;
  private final ShardSet set;

  private RangeDecoder(Engine engine, ShardSet set) {
    this.engine = engine;
    this.set = set;
  }

  /**
   * Opens shards.
   *
   * @param engine performs the computation; the caller closes it
   * @param shards at least one shard of an object
   * @throws MixedShardsException if the shards belong to different objects
   * @throws MalformedShardException if no file is a valid shard
   * @throws DecryptionException if the object is encrypted
   */
  public static RangeDecoder open(Engine engine, List<? extends PositionedInput.Opener> shards)
      throws IOException {
    engine.requireOpen();
    ShardSet set = ShardSet.open(shards, false);
    try {
      Optional<Decryption> _ = Decryption.of(set.descriptor(), Optional.empty());
      return new RangeDecoder(engine, set);
    } catch (DecryptionException e) {
      set.close();
      throw e;
    }
  }

  /** Returns the object. */
  public CodedObject object() {
    return set.descriptor();
  }

  /**
   * Returns the header of a shard.
   *
   * @param name the name of its {@link PositionedInput.Opener}
   * @return empty if it is damaged, or the file is not a shard
   */
  public Optional<ShardHeader> header(Path name) {
    return set.shards().stream()
        .filter(shard -> shard.path().equals(name) && !shard.isHeaderDamaged())
        .map(ShardFile::header)
        .findFirst();
  }

  /** Returns the hashes of all generations; empty if the object is not divisible. */
  public Optional<HashesSection> hashes() {
    return set.hashes();
  }

  /**
   * Returns true if ranges can be verified. Otherwise only all generations together can: no shard
   * has the hashes of the generations undamaged.
   */
  public boolean isDivisible() {
    return set.hashes().isPresent();
  }

  /**
   * Decodes generations.
   *
   * @param from the first generation
   * @param end the generation after the last; all if the object is not {@linkplain #isDivisible
   *     divisible}
   * @param sink receives the verified bytes; if the object is not divisible, they are verified only
   *     when this method returns. It may receive the same generations again, from {@code from} on
   * @throws ShortRankException if a generation has too few independent blocks
   * @throws DigestMismatchException if a generation has a wrong hash
   */
  public void decode(long from, long end, Sink sink) throws IOException, InterruptedException {
    Objects.checkFromToIndex(from, end, object().generations());
    if (!isDivisible() && (from > 0 || end < object().generations())) {
      throw new IllegalArgumentException(
          "generations %d … %d of '%s' cannot be verified without the others"
              .formatted(from, end - 1, object().name()));
    }
    ShardReport _ = FileDecoder.decode(engine, set, () -> decodeInOrder(from, end, sink));
  }

  /** Returns the shards that were left out or have wrong payloads, as far as they were read. */
  public ShardReport report() {
    return set.report();
  }

  private ShardReport decodeInOrder(long from, long end, Sink sink)
      throws IOException, InterruptedException {
    Verification verification = Verification.of(engine, set);
    try (NativeMemory memory = new NativeMemory(engine)) {
      Batches batches =
          Batches.plan(
              engine, DecodingBatch.generationBytes(object(), false), Math.max(1, end - from));
      try (DecodingBatch batch = new DecodingBatch(engine, set, batches, false, memory)) {
        ShardSet.Reading reading = set.reading(from, batches, memory);
        for (long next = from; next < end; next += batch.generations()) {
          batch.start(next, end);
          long _ = reading.stage().run(batch);
          if (!batch.decode(reading.shards())) {
            throw new FileDecoder.ShortOfRank();
          }
          verification.verify(batch, reading.shards());
          sink.take(next, batch.decoded());
        }
        ShardReport report = set.report();
        verification.finish(report);
        return report;
      }
    }
  }

  /** Closes the shards. */
  @Override
  public void close() throws IOException {
    set.close();
  }
}
