package io.fieldstone.spark.coding;

import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.RangeEncoder;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.spark.storage.Staging;
import io.fieldstone.spark.storage.Storage;
import io.fieldstone.spark.storage.StoredOutput;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;

/**
 * Writes the records of a range of generations, to a file of the running task for each shard: those
 * of the whole object with all that a shard has before and after them.
 */
final class ShardParts implements AutoCloseable {

  /**
   * The records of a range.
   *
   * @param firstGeneration the first generation
   * @param hashes the hashes of the generations, 32 bytes each
   * @param files the file of each shard with records
   * @param recordId the number that the records carry
   * @param isComplete whether the files are complete shards
   */
  @SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads them.
  record Written(
      long firstGeneration,
      byte[] hashes,
      TreeMap<Integer, String> files,
      long recordId,
      boolean isComplete)
      implements Serializable {}

  private final Storage storage;
  private final String prefix;
  private final List<String> stagings;
  private final List<Integer> shards;
  private final Optional<ShardFrame> frame;
  private final Map<Integer, StoredOutput> streams = new TreeMap<>();
  private final Map<Integer, String> files = new TreeMap<>();
  private final List<byte[]> hashes = new ArrayList<>();

  /**
   * Creates parts without records.
   *
   * @param prefix a name that is unique in the attempt of the task
   * @param stagings the staging folder of each path; shard s is in path s mod paths
   * @param shards the shards to make
   * @param frame what complete shards have; empty for records alone
   */
  ShardParts(
      Storage storage,
      String prefix,
      List<String> stagings,
      List<Integer> shards,
      Optional<ShardFrame> frame) {
    this.storage = storage;
    this.prefix = prefix;
    this.stagings = stagings;
    this.shards = shards;
    this.frame = frame;
  }

  /** Encodes generations, and appends their records. */
  void add(RangeEncoder encoder, MemorySegment bytes, long firstGeneration, long recordId)
      throws IOException {
    for (Sha256 hash : encoder.encode(bytes, firstGeneration, recordId, shards, this::append)) {
      hashes.add(hash.bytes());
    }
  }

  /** Appends the records of generations whose hashes are known. */
  void addKnown(
      RangeEncoder encoder,
      MemorySegment bytes,
      long firstGeneration,
      long recordId,
      List<Sha256> known)
      throws IOException {
    encoder.repair(bytes, firstGeneration, recordId, shards, this::append);
    known.forEach(hash -> hashes.add(hash.bytes()));
  }

  private StoredOutput stream(int shard) throws IOException {
    StoredOutput open = streams.get(shard);
    if (open != null) {
      return open;
    }
    String file =
        Staging.attempt(stagings.get(shard % stagings.size()), prefix + "." + shard).toString();
    StoredOutput out = storage.create(new Path(file));
    streams.put(shard, out);
    files.put(shard, file);
    if (frame.isPresent()) {
      out.write(frame.get().before(shard));
    }
    return out;
  }

  private void append(int shard, MemorySegment records) throws IOException {
    stream(shard).write(records);
  }

  /** Forgets all records, because their range is encoded again. */
  void restart() throws IOException {
    close();
    files.clear();
    hashes.clear();
  }

  /** Completes the files. */
  Written finish(long firstGeneration, long recordId) throws IOException {
    if (frame.isPresent()) {
      byte[] after = frame.get().after();
      for (int shard : shards) {
        stream(shard).write(after);
      }
    }
    close();
    ByteBuffer all = ByteBuffer.allocate(hashes.size() * Sha256.BYTES);
    hashes.forEach(all::put);
    return new Written(
        firstGeneration, all.array(), new TreeMap<>(files), recordId, frame.isPresent());
  }

  /** Returns all shards of an encoding. */
  static List<Integer> all(EncodingParameters parameters) {
    return IntStream.range(0, parameters.shards()).boxed().toList();
  }

  /** Closes the files that are open, complete or not. */
  @Override
  public void close() throws IOException {
    StoredOutput.closeAll(streams.values());
    streams.clear();
  }
}
