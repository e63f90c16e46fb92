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
 * Writes the records of a range of generations: those of the whole object to files of the running
 * task, with all that a shard has before and after them; others to their places in the shard where
 * {@link ShardAssembly.Paths#isShared}, else to files of the running task too.
 */
final class ShardParts implements AutoCloseable {

  /**
   * The records of a range.
   *
   * @param firstGeneration the first generation
   * @param hashes the hashes of the generations, 32 bytes each
   * @param files the file of each shard with records; a shared one has those of other ranges too
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

  /**
   * A range of the generations of an object.
   *
   * @param object a number of the object, the same for its other ranges
   * @param name the name with the folders under the root
   * @param length the bytes of the object
   */
  record Range(
      EncodingParameters parameters, int object, String name, long length, long firstGeneration) {

    /** Returns where the records of the range begin in a shard. */
    long recordsAt(int shard) {
      return RangeEncoder.recordsAt(
          parameters, ShardName.fileName(name), length, shard, firstGeneration);
    }
  }

  private final Storage storage;
  private final Range range;
  private final ShardAssembly.Paths paths;
  private final List<Integer> shards;
  private final Optional<ShardFrame> frame;
  private final Map<Integer, StoredOutput> streams = new TreeMap<>();
  private final Map<Integer, String> files = new TreeMap<>();
  private final List<byte[]> hashes = new ArrayList<>();

  /**
   * Creates parts without records.
   *
   * @param shards the shards to make
   * @param frame what complete shards have; empty for records alone
   */
  ShardParts(
      Storage storage,
      Range range,
      ShardAssembly.Paths paths,
      List<Integer> shards,
      Optional<ShardFrame> frame) {
    this.storage = storage;
    this.range = range;
    this.paths = paths;
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
    boolean isShared = frame.isEmpty() && paths.isShared(shard);
    String name = range.object + "." + range.firstGeneration + "." + shard;
    Path file =
        isShared ? paths.shared(range.object, shard) : Staging.attempt(paths.staging(shard), name);
    StoredOutput out =
        isShared ? storage.share(file, range.recordsAt(shard)) : storage.create(file);
    streams.put(shard, out);
    files.put(shard, file.toString());
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
  Written finish(long recordId) throws IOException {
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
        range.firstGeneration, all.array(), new TreeMap<>(files), recordId, frame.isPresent());
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
