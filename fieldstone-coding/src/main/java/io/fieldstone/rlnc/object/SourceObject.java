package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ObjectManifest;
import java.util.ArrayDeque;

/** An object in a {@link GenerationCache}, which any number of senders send. */
public final class SourceObject implements AutoCloseable {

  /** The indices of the coded blocks of each receiver that wants a part of a generation. */
  private static final int PARTIAL_INDICES = 1 << 14;

  private final GenerationCache cache;
  private final ObjectManifest manifest;
  private final long seed;
  private final GenerationSource source;

  /** The senders of parts of generations that have begun. */
  private int partialSenders;

  /** Encoders of removed generations, for reuse. */
  final ArrayDeque<Encoder> spareEncoders = new ArrayDeque<>();

  SourceObject(GenerationCache cache, ObjectManifest manifest, long seed, GenerationSource source) {
    this.cache = cache;
    this.manifest = manifest;
    this.seed = seed;
    this.source = source;
  }

  /** Returns the manifest. */
  public ObjectManifest manifest() {
    return manifest;
  }

  /** Returns the seed of the coded blocks, which receivers must know. */
  public long seed() {
    return seed;
  }

  GenerationSource source() {
    return source;
  }

  /** Returns a generation, whose load may not have ended; it stays until {@link #unpin}. */
  CachedGeneration pin(int generation) {
    return cache.pin(this, generation);
  }

  /** Returns true if a generation can be pinned without a read. */
  boolean isLoaded(int generation) {
    return cache.isLoaded(this, generation);
  }

  /** Returns true if a generation can be read within the bound of the cache. */
  boolean hasRoom(int generation) {
    return cache.hasRoom(manifest.shapeOf(generation).bytes());
  }

  void unpin(CachedGeneration generation) {
    cache.unpin(generation);
  }

  /** Removes a generation from the cache, so that it is read again. No sender may be using it. */
  void forget(int generation) {
    cache.remove(this, generation);
  }

  /** Returns the index of the first coded block of n source blocks that combines all of them. */
  static int firstCoded(GenerationShape shape) {
    return switch (shape.code()) {
      case Code.Systematic _, Code.Cauchy _ -> shape.blocks();
      case Code.Pipeline(double redundancy) ->
          (int) Math.min(Packet.MAX_INDICES / 2, Math.ceil(shape.blocks() * (1 + redundancy)));
      case Code.Dense _, Code.Sparse _ -> 0;
    };
  }

  /**
   * Returns the index of the first coded block for a receiver that wants a part of each generation.
   * It differs from that of other receivers, so that those who join their parts have no block
   * twice.
   */
  int nextPartialIndex() {
    boolean isEndless =
        switch (manifest.shape().code()) {
          case Code.Systematic _, Code.Dense _, Code.Sparse _ -> true;
          case Code.Cauchy _, Code.Pipeline _ -> false;
        };
    partialSenders++;
    return isEndless ? (int) ((long) partialSenders * PARTIAL_INDICES % Packet.MAX_INDICES) : 0;
  }

  /** Removes its generations from the cache. Close its senders first. Idempotent. */
  @Override
  public void close() {
    cache.close(this);
  }
}
