package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.NamedObject;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/** Verifies decoded batches against the identity of the object. For one decoding. */
sealed interface Verification {

  /** Returns true if batches must be verified in order; else it may be done by several threads. */
  boolean isInOrder();

  /**
   * Verifies a batch, or prepares it for {@link #finish}.
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
    return switch (set.descriptor()) {
      case ObjectDescriptor object -> new OfDigest(object);
      case NamedObject object ->
          set.hashes().isPresent()
              ? new OfGenerations(engine, set, set.hashes().get())
              : new OfRoot(object);
    };
  }

  /** Version 1: the SHA-256 of the file. */
  final class OfDigest implements Verification {
    private final ObjectDescriptor object;
    private final MessageDigest digest = ObjectDescriptor.newSha256();

    OfDigest(ObjectDescriptor object) {
      this.object = object;
    }

    @Override
    public boolean isInOrder() {
      return true;
    }

    @Override
    public void verify(DecodingBatch batch, List<ShardFile> shards) {
      batch.update(digest);
    }

    @Override
    public void finish(ShardReport report) throws DigestMismatchException {
      String sha256 = HexFormat.of().formatHex(digest.digest());
      if (!sha256.equals(object.sha256())) {
        throw new DigestMismatchException(
            "'%s' decodes to SHA-256 %s, its shards say %s"
                .formatted(object.name(), sha256, object.sha256()),
            report);
      }
    }
  }

  /** Version 2, if every shard has lost the hashes of the generations: the root. */
  final class OfRoot implements Verification {
    private final NamedObject object;
    private final HashesSection.Builder hashes = new HashesSection.Builder();

    OfRoot(NamedObject object) {
      this.object = object;
    }

    @Override
    public boolean isInOrder() {
      return true;
    }

    @Override
    public void verify(DecodingBatch batch, List<ShardFile> shards) {
      batch.hashes().forEach(hashes::add);
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

  /** Version 2: the hash of each generation. */
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
    public boolean isInOrder() {
      return false;
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
