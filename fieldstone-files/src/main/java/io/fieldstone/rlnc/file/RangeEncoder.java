package io.fieldstone.rlnc.file;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.CodedObject;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.Batches;
import io.fieldstone.stream.NativeMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Encodes ranges of the generations of an object, independently of each other and in any order, for
 * jobs on several machines. The {@link #header}, the records of all ranges in order, and the hashes
 * of all generations make the shards that {@link FileEncoder} writes.
 *
 * <p>Of one object that is neither encrypted nor signed. For one thread at a time.
 */
public final class RangeEncoder implements AutoCloseable {

  /** Receives the records of shards, in memory that is valid during the call. */
  public interface Sink {

    /** Takes consecutive records of a shard. */
    void take(int shard, MemorySegment records) throws IOException;
  }

  private final NativeMemory memory;
  private final long maxBytes;
  private final EncodingBatch batch;

  /**
   * Creates an encoder, with memory for a batch of generations.
   *
   * @param engine performs the computation; the caller closes it
   * @param length the bytes of the object
   * @throws IOException if there is not enough memory
   */
  public RangeEncoder(Engine engine, EncodingParameters parameters, long length)
      throws IOException {
    engine.requireOpen();
    this.memory = new NativeMemory(engine);
    long k = parameters.shape().blockSize();
    int maxBlocks = Math.clamp(Math.ceilDiv(length, k), 1, parameters.shape().blocks());
    Batches batches =
        Batches.plan(
            engine,
            EncodingBatch.generationBytes(parameters, maxBlocks, false),
            Math.max(1, Math.ceilDiv(length, parameters.shape().bytes())));
    this.maxBytes = batches.generations() * maxBlocks * k;
    try {
      this.batch = new EncodingBatch(engine, parameters, maxBlocks, batches, false, memory);
    } catch (IOException | RuntimeException e) {
      memory.close();
      throw e;
    }
  }

  /** Returns the maximum bytes of {@link #encode}, a multiple of the bytes of a generation. */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Encodes consecutive generations.
   *
   * @param bytes whole generations, or the last bytes of the object; at most {@link #maxBytes}
   * @param firstGeneration the number of the first
   * @param recordId the {@link #recordId} of the object
   * @param shards the shards whose records are made, 0 … shards − 1
   * @param sink receives the records of each of these shards that has any, in this order
   * @return the hashes of the generations
   */
  public List<Sha256> encode(
      MemorySegment bytes, long firstGeneration, long recordId, List<Integer> shards, Sink sink)
      throws IOException {
    fill(bytes, firstGeneration);
    List<Sha256> hashes = batch.hashes();
    make(recordId, shards, sink);
    return hashes;
  }

  /**
   * Returns the hashes of consecutive generations, without encoding them.
   *
   * @param bytes as for {@link #encode}
   */
  public List<Sha256> hashes(MemorySegment bytes, long firstGeneration) {
    fill(bytes, firstGeneration);
    return batch.hashes();
  }

  /**
   * Makes the records of some shards, as {@link #encode} does, of generations whose hashes are
   * known. Only the blocks of these shards are computed.
   */
  public void repair(
      MemorySegment bytes, long firstGeneration, long recordId, List<Integer> shards, Sink sink)
      throws IOException {
    fill(bytes, firstGeneration);
    make(recordId, shards, sink);
  }

  private void fill(MemorySegment bytes, long firstGeneration) {
    if (bytes.byteSize() > maxBytes) {
      throw new IllegalArgumentException(
          "%d bytes are more than %d".formatted(bytes.byteSize(), maxBytes));
    }
    batch.fill(bytes, firstGeneration);
  }

  private void make(long recordId, List<Integer> shards, Sink sink) throws IOException {
    Set<Integer> wanted = Set.copyOf(shards);
    long _ = batch.encode(wanted::contains);
    for (int shard : shards) {
      MemorySegment records = batch.records(shard, recordId);
      if (records.byteSize() > 0) {
        sink.take(shard, records);
      }
    }
  }

  /**
   * Returns the number that all records of an object carry.
   *
   * @param parameters those of the encoding
   * @param first the bytes of the first generation, fewer if the object has fewer
   * @return 0 for an empty object, which has no records
   */
  public static long recordId(EncodingParameters parameters, MemorySegment first) {
    if (first.byteSize() == 0) {
      return 0;
    }
    int k = parameters.shape().blockSize();
    try (Arena arena = Arena.ofConfined()) {
      long blocks = Math.ceilDiv(first.byteSize(), k);
      MemorySegment padded = arena.allocate(blocks * k);
      padded.asSlice(0, first.byteSize()).copyFrom(first);
      return recordId(parameters, new HashTree().generation(padded, k));
    }
  }

  /**
   * Returns the number that all records of an object carry.
   *
   * @param parameters those of the encoding
   * @param hashes the hashes of all generations
   * @return 0 for an empty object, which has no records
   */
  public static long recordId(EncodingParameters parameters, HashesSection hashes) {
    return hashes.isEmpty() ? 0 : recordId(parameters, hashes.getFirst());
  }

  private static long recordId(EncodingParameters parameters, Sha256 firstGeneration) {
    return ShardHeader.recordId(parameters.shape(), parameters.seed(), firstGeneration);
  }

  /**
   * Returns the header of a shard.
   *
   * @param name the file name, without a directory
   * @param length the bytes of the object
   * @param hashes the hashes of all generations, which follow the records
   */
  public static ShardHeader header(
      EncodingParameters parameters,
      String name,
      long length,
      HashesSection hashes,
      long recordId,
      int shard) {
    ObjectManifest manifest = manifest(parameters, length, hashes.root());
    ShardHeader header = new ShardHeader(new CodedObject(name, manifest), recordId, false, 0);
    return header.withHashesAt(
        header.byteSize()
            + records(parameters, manifest.sourceBlocks(), shard) * header.recordBytes());
  }

  /**
   * Returns the position in a shard at which the records of a generation begin, so that ranges can
   * be written before the hashes of all are known.
   *
   * @param name the file name, without a directory
   * @param length the bytes of the object
   */
  public static long recordsAt(
      EncodingParameters parameters, String name, long length, int shard, long generation) {
    // The bytes of a header do not depend on the root of the hashes, nor on the record number.
    ObjectManifest manifest = manifest(parameters, length, new Sha256(0, 0, 0, 0));
    ShardHeader header = new ShardHeader(new CodedObject(name, manifest), 0, false, 0);
    return header.byteSize() + generation * recordsOfFull(parameters, shard) * header.recordBytes();
  }

  private static ObjectManifest manifest(EncodingParameters parameters, long length, Sha256 root) {
    return new ObjectManifest(parameters.shape(), length, Optional.empty(), root);
  }

  /** Returns the number of records of a full generation in a shard. */
  static long recordsOfFull(EncodingParameters parameters, int shard) {
    return parameters.recordsOf(shard, parameters.codedBlocks(parameters.shape().blocks()));
  }

  /** Returns the number of records of a shard. */
  static long records(EncodingParameters parameters, long sourceBlocks, int shard) {
    int n = parameters.shape().blocks();
    int last = (int) (sourceBlocks % n);
    long records = sourceBlocks / n * recordsOfFull(parameters, shard);
    return records + (last == 0 ? 0 : parameters.recordsOf(shard, parameters.codedBlocks(last)));
  }

  /** Frees the memory. Idempotent. */
  @Override
  public void close() {
    batch.close();
    memory.close();
  }
}
