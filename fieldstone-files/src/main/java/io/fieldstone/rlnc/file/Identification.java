package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Computes the identity of an object while it is encoded, and completes the shards with it. For one
 * object.
 */
final class Identification {

  private final String name;
  private final EncodingParameters parameters;
  private final Optional<GenerationCipher> cipher;
  private final Optional<SigningKey> signing;
  private final HashesSection.Builder hashes = new HashesSection.Builder();
  private volatile long recordId;

  Identification(
      String name,
      EncodingParameters parameters,
      Optional<GenerationCipher> cipher,
      Optional<SigningKey> signing) {
    this.name = name;
    this.parameters = parameters;
    this.cipher = cipher;
    this.signing = signing;
  }

  /** Returns the bytes of the header of each shard. */
  int headerBytes() {
    int record = signing.isPresent() ? PublisherRecord.byteSize(name) : 0;
    return ShardHeader.byteSize(name, cipher.isPresent(), record);
  }

  /** Returns the bytes after the records of each shard. */
  long trailerBytes(long generations) {
    return HashesSection.sectionBytes(generations);
  }

  /** Adds a batch; returns the bytes added. Thread-safe. */
  long add(EncodingBatch batch) {
    List<Sha256> added = batch.hashes();
    hashes.setAll(batch.firstGeneration(), added);
    if (batch.firstGeneration() == 0) {
      recordId = ShardHeader.recordId(parameters.shape(), parameters.seed(), added.getFirst());
    }
    return batch.codedBytes();
  }

  /** Returns the number that all records carry; known after the first batch was added. */
  long recordId() {
    return recordId;
  }

  /**
   * Completes the shards: writes what follows the records, and the headers.
   *
   * @param length the bytes that were coded
   */
  CodedObject finish(List<ShardWriter> shards, long length) throws IOException {
    HashesSection all = hashes.build();
    ObjectManifest manifest =
        new ObjectManifest(
            parameters.shape(), length, cipher.map(GenerationCipher::parameters), all.root());
    CodedObject object = new CodedObject(name, manifest);
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
