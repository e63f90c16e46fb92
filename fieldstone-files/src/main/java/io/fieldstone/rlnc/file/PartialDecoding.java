package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.Decoder;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.NativeMemory;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Decodes an object from shards that are not sufficient: complete generations, and of others the
 * source blocks that are solvable alone (HPDS, Section 3.1). The rest is zeros. A generation with a
 * wrong hash, and an encrypted one that is not complete or does not authenticate without a hash, is
 * missing as a whole.
 *
 * <p>One thread, one generation at a time, in ascending order.
 */
final class PartialDecoding {

  private static final Batches ONE_BY_ONE = new Batches(1, 1, false);

  private final Engine engine;
  private final ShardSet set;
  private final CodedObject descriptor;
  private final Optional<Decryption> decryption;
  private final boolean isVerified;
  private final MissingBlocks.Builder missing = new MissingBlocks.Builder();

  PartialDecoding(Engine engine, ShardSet set, Optional<Decryption> decryption) {
    this.engine = engine;
    this.set = set;
    this.descriptor = set.descriptor();
    this.decryption = decryption;
    this.isVerified = set.hashes().isPresent();
  }

  /**
   * Decodes to a file.
   *
   * @param cursors the shards from their beginnings
   * @param length the bytes of the file
   */
  MissingBlocks decode(
      ShardCursors cursors,
      NativeMemory memory,
      OpenFile file,
      long length,
      ProgressListener listener)
      throws IOException, InterruptedException {
    // A header may claim billions of generations, or large ones, of which there is no record.
    long end = descriptor.generations();
    long next = cursors.nextGeneration(end);
    addMissing(0, next, length);
    if (next < end) {
      try (DecodingBatch batch =
          new DecodingBatch(engine, set, ONE_BY_ONE, decryption.isPresent(), memory)) {
        while (next < end) {
          listener.progress(positionOf(next, length), length);
          if (Thread.interrupted()) {
            throw new InterruptedException("the decoding was interrupted");
          }
          batch.start(next);
          batch.read(cursors);
          file.writeSparsely(decode(batch, cursors), positionOf(next, length));
          long following = cursors.nextGeneration(end);
          addMissing(next + 1, following, length);
          next = following;
        }
      }
    }
    file.extend(length);
    listener.progress(length, length);
    return missing.build();
  }

  /** Adds generations without records, which stay a hole in the file. */
  private void addMissing(long from, long to, long length) {
    if (from < to) {
      long n = descriptor.shape().blocks();
      long blocks = Math.min(descriptor.sourceBlocks(), to * n) - from * n;
      missing.addMissing(blocks, positionOf(from, length), positionOf(to, length));
    }
  }

  /** Returns the position of a generation in the file. */
  private long positionOf(long generation, long length) {
    int tag = decryption.isPresent() ? GenerationCipher.TAG_BYTES : 0;
    return Math.min(length, generation * (descriptor.shape().bytes() - tag));
  }

  /** Returns the bytes of the file in a batch of one generation. */
  private MemorySegment decode(DecodingBatch batch, ShardCursors cursors) throws IOException {
    int n = descriptor.blocksOf(batch.first());
    if (batch.decode(cursors.shards())) {
      if (isRight(batch, cursors)) {
        missing.addUnverified(isVerified ? 0 : n);
        return decryption.isPresent() ? batch.decrypted() : batch.decoded();
      }
      return nothing(batch, n);
    }
    if (decryption.isPresent()) {
      return nothing(batch, n);
    }
    solve(batch, cursors);
    return batch.decoded();
  }

  /**
   * Verifies a complete generation, and decrypts it; repairs it if it has wrong blocks, and others
   * do not.
   */
  private boolean isRight(DecodingBatch batch, ShardCursors cursors) throws IOException {
    try {
      if (isVerified) {
        Verification.of(engine, set).verify(batch, cursors.shards());
      }
      if (decryption.isPresent()) {
        decryption.get().decrypt(batch, set);
      }
      return true;
    } catch (DigestMismatchException e) {
      return false;
    }
  }

  /** Returns zeros for a generation of which no block can be used. */
  private MemorySegment nothing(DecodingBatch batch, int n) {
    MemorySegment bytes = decryption.isPresent() ? batch.decrypted() : batch.decoded();
    long from = decryption.isPresent() ? batch.decryptedAt() : batch.decodedAt();
    missing.addMissing(n, from, from + bytes.byteSize());
    return bytes.fill((byte) 0);
  }

  /** Solves the source blocks that are solvable in a generation of too low rank. */
  private void solve(DecodingBatch batch, ShardCursors cursors) throws IOException {
    long generation = batch.first();
    int k = descriptor.shape().blockSize();
    GenerationShape shape = descriptor.shape().withBlocks(descriptor.blocksOf(generation));
    MemorySegment target = batch.generation(0).fill((byte) 0);
    long end = batch.decodedAt() + batch.sourceBytes();
    try (Decoder decoder = NativeMemory.reserve(() -> new Decoder(engine, shape, generation))) {
      batch.forEachBlock(
          0,
          cursors.shards(),
          (shard, block) -> {
            if (!set.isConvicted(shard)) {
              decoder.add(block);
            }
          });
      for (int source = 0; source < shape.blocks(); source++) {
        if (decoder.isSolved(source)) {
          decoder.read(source, target.asSlice((long) source * k, k));
        } else {
          long from = batch.decodedAt() + (long) source * k;
          missing.addMissing(1, from, Math.min(end, from + k));
        }
      }
      missing.addUnverified(decoder.solvedCount());
    }
  }
}
