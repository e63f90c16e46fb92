package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.NamedObject;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Computes the identity of an object while it is encoded, and completes the shards with it. For one
 * object.
 */
sealed interface Identification {

  /** Returns the maximum number of generations of an object. */
  long maxGenerations();

  /** Returns the maximum number of generations of a version of shards. */
  static long maxGenerations(int version) {
    return version == 1 ? ObjectDescriptor.MAX_GENERATIONS : ObjectManifest.MAX_GENERATIONS;
  }

  /** Returns the bytes of the header of each shard. */
  int headerBytes();

  /** Returns the bytes after the records of each shard. */
  long trailerBytes(long generations);

  /** Returns true if batches must be added in order; else it may be done by several threads. */
  boolean isInOrder();

  /** Adds a batch; returns the bytes added. */
  long add(EncodingBatch batch);

  /** Returns the number that all records carry; known after the first batch was added. */
  long recordId();

  /**
   * Completes the shards: writes what follows the records, and the headers.
   *
   * @param length the bytes that were coded
   */
  CodedObject finish(List<ShardWriter> shards, long length) throws IOException;

  /** Version 1: the SHA-256 of the file. */
  final class OfDigest implements Identification {
    private final String name;
    private final EncodingParameters parameters;
    private final MessageDigest digest = ObjectDescriptor.newSha256();

    OfDigest(String name, EncodingParameters parameters) {
      this.name = name;
      this.parameters = parameters;
    }

    @Override
    public long maxGenerations() {
      return ObjectDescriptor.MAX_GENERATIONS;
    }

    @Override
    public int headerBytes() {
      return ShardHeader.byteSize(1, name, false, 0);
    }

    @Override
    public long trailerBytes(long generations) {
      return 0;
    }

    @Override
    public boolean isInOrder() {
      return true;
    }

    @Override
    public long add(EncodingBatch batch) {
      return batch.update(digest);
    }

    @Override
    public long recordId() {
      return ObjectDescriptor.objectId(name, parameters.shape(), parameters.seed());
    }

    @Override
    public CodedObject finish(List<ShardWriter> shards, long length) throws IOException {
      ObjectDescriptor descriptor =
          new ObjectDescriptor(
              name,
              parameters.shape(),
              parameters.seed(),
              length,
              HexFormat.of().formatHex(digest.digest()));
      for (ShardWriter shard : shards) {
        shard.finish(new ShardHeader(descriptor, false));
      }
      return descriptor;
    }
  }

  /** Version 2: the tree of SHA-256. */
  final class OfTree implements Identification {
    private final String name;
    private final EncodingParameters parameters;
    private final Optional<GenerationCipher> cipher;
    private final Optional<SigningKey> signing;
    private final HashesSection.Builder hashes = new HashesSection.Builder();
    private volatile long recordId;

    OfTree(
        String name,
        EncodingParameters parameters,
        Optional<GenerationCipher> cipher,
        Optional<SigningKey> signing) {
      this.name = name;
      this.parameters = parameters;
      this.cipher = cipher;
      this.signing = signing;
    }

    @Override
    public long maxGenerations() {
      return ObjectManifest.MAX_GENERATIONS;
    }

    @Override
    public int headerBytes() {
      int record = signing.isPresent() ? PublisherRecord.byteSize(name) : 0;
      return ShardHeader.byteSize(2, name, cipher.isPresent(), record);
    }

    @Override
    public long trailerBytes(long generations) {
      return HashesSection.sectionBytes(generations);
    }

    @Override
    public boolean isInOrder() {
      return false;
    }

    @Override
    public long add(EncodingBatch batch) {
      List<Sha256> added = batch.hashes();
      synchronized (hashes) {
        for (int g = 0; g < added.size(); g++) {
          hashes.set(Math.toIntExact(batch.firstGeneration() + g), added.get(g));
        }
      }
      if (batch.firstGeneration() == 0) {
        recordId = ShardHeader.recordId(parameters.shape(), parameters.seed(), added.getFirst());
      }
      return batch.codedBytes();
    }

    @Override
    public long recordId() {
      return recordId;
    }

    @Override
    public CodedObject finish(List<ShardWriter> shards, long length) throws IOException {
      HashesSection all;
      synchronized (hashes) {
        all = hashes.build();
      }
      ObjectManifest manifest =
          new ObjectManifest(
              parameters.shape(), length, cipher.map(GenerationCipher::parameters), all.root());
      NamedObject object = new NamedObject(name, manifest);
      ShardHeader header = new ShardHeader(object, recordId, false, 0);
      if (signing.isPresent()) {
        PublisherRecord record = PublisherRecord.sign(signing.get(), name, manifest.id());
        header = header.withPublisherRecord(record.toBytes());
      }
      for (ShardWriter shard : shards) {
        shard.append(all);
        shard.finish(header.withHashesAt(shard.positionOf(shard.records())));
      }
      return object;
    }
  }
}
