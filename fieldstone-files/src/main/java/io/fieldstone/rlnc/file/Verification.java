package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.util.List;

/** Verifies decoded batches against the identity of the object. For one decoding. */
sealed interface Verification {

  /**
   * Verifies a batch, or prepares it for {@link #finish}. Thread-safe; in any order.
   *
   * @param shards the shard of each cursor of the batch
   * @throws DigestMismatchException if a generation is wrong and cannot be decoded from other
   *     shards
   */
  void verify(DecodingBatch batch, List<ShardFile> shards) throws IOException;

  /**
   * Verifies the whole object after the last batch.
   *
   * @throws DigestMismatchException if it is wrong
   */
  void finish(ShardReport report) throws DigestMismatchException;

  /** Returns the verification of the object of some shards. */
  static Verification of(Engine engine, ShardSet set) {
    return set.hashes().isPresent()
        ? new OfGenerations(engine, set, set.hashes().get())
        : new OfRoot(set.descriptor());
  }

  /** The root, if every shard has lost the hashes of the generations. */
  final class OfRoot implements Verification {
    private final CodedObject object;
    private final HashesSection.Builder hashes = new HashesSection.Builder();

    OfRoot(CodedObject object) {
      this.object = object;
    }

    @Override
    public void verify(DecodingBatch batch, List<ShardFile> shards) {
      hashes.setAll(batch.first(), batch.hashes());
    }

    @Override
    public void finish(ShardReport report) throws DigestMismatchException {
      Sha256 root = hashes.build().root();
      if (!root.equals(object.manifest().root())) {
        throw new DigestMismatchException(
            "'%s' decodes to a hash tree with root %s, its shards say %s"
                .formatted(object.name(), root, object.manifest().root()),
            report);
      }
    }
  }

  /** The hash of each generation. */
  final class OfGenerations implements Verification {
    private final Engine engine;
    private final ShardSet set;
    private final HashesSection hashes;

    OfGenerations(Engine engine, ShardSet set, HashesSection hashes) {
      this.engine = engine;
      this.set = set;
      this.hashes = hashes;
    }

    @Override
    public void verify(DecodingBatch batch, List<ShardFile> shards) throws IOException {
      List<Sha256> found = batch.hashes();
      for (int g = 0; g < found.size(); g++) {
        long generation = batch.first() + g;
        Sha256 hash = hashes.get(Math.toIntExact(generation));
        if (!found.get(g).equals(hash)) {
          recover(batch, g, hash, shards);
        }
      }
    }

    private void recover(DecodingBatch batch, int g, Sha256 hash, List<ShardFile> shards)
        throws IOException {
      long generation = batch.first() + g;
      try (GenerationRecovery recovery = new GenerationRecovery(engine, set, generation, hash)) {
        batch.forEachBlock(g, shards, recovery::add);
        if (!recovery.recover(batch.generation(g))) {
          CodedObject object = set.descriptor();
          throw new DigestMismatchException(
              "generation %d of '%s' does not have its hash: %s"
                  .formatted(generation, object.name(), recovery.describe()),
              generation,
              set.report());
        }
      }
    }

    @Override
    public void finish(ShardReport report) {
      // Every generation has been verified, and the hashes have the root of the object.
    }
  }
}
