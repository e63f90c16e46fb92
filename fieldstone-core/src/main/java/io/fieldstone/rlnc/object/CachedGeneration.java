package io.fieldstone.rlnc.object;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A generation in a {@link GenerationCache}: its source bytes and the last coded blocks. */
final class CachedGeneration {

  /** The coded blocks kept: block i is in row i mod {@value #CODED_BLOCKS}. */
  private static final int CODED_BLOCKS = 32;

  private final GenerationCache cache;
  private final SourceObject object;
  private final int generation;
  private final GenerationShape shape;
  private final HostMemory memory;
  private @Nullable Encoder encoder;
  private @Nullable HostMemory coded;
  private final long[] codedIndices = new long[CODED_BLOCKS];

  /** The senders that use it. */
  int pins;

  CachedGeneration(GenerationCache cache, SourceObject object, int generation, HostMemory memory) {
    this.cache = cache;
    this.object = object;
    this.generation = generation;
    this.shape = object.manifest().shapeOf(generation);
    this.memory = memory;
  }

  SourceObject object() {
    return object;
  }

  int generation() {
    return generation;
  }

  GenerationShape shape() {
    return shape;
  }

  HostMemory memory() {
    return memory;
  }

  /** Returns true if this generation is not shorter than others. */
  boolean isFull() {
    return shape.blocks() == object.manifest().shape().blocks();
  }

  /** Copies a source block. */
  void source(int position, MemorySegment destination, long offset) {
    int k = shape.blockSize();
    MemorySegment.copy(memory.segment(), (long) position * k, destination, offset, k);
  }

  /**
   * Copies coded block {@code index}. If it is not held, it is computed together with those after
   * it, {@code wanted} in all.
   */
  void coded(int index, int wanted, MemorySegment destination, long offset) {
    int row = index % CODED_BLOCKS;
    HostMemory blocks = coded;
    if (blocks == null) {
      blocks = cache.allocate((long) CODED_BLOCKS * shape.blockSize());
      coded = blocks;
      Arrays.fill(codedIndices, -1);
    }
    if (codedIndices[row] != index) {
      draw(index, Math.clamp(wanted, 1, CODED_BLOCKS - row), row, blocks);
    }
    int k = shape.blockSize();
    MemorySegment.copy(blocks.segment(), (long) row * k, destination, offset, k);
  }

  private void draw(int index, int count, int row, HostMemory blocks) {
    Encoder loaded = encoder;
    if (loaded == null) {
      loaded = cache.encoder(this);
      encoder = loaded;
      loaded.store(ByteMatrices.of(memory.segment(), shape.blocks(), shape.blockSize()));
    }
    loaded.encode(
        index, ByteMatrices.of(blocks.segment(), CODED_BLOCKS, shape.blockSize()).rows(row, count));
    for (int i = 0; i < count; i++) {
      codedIndices[row + i] = index + (long) i;
    }
  }

  @Nullable Encoder takeEncoder() {
    Encoder taken = encoder;
    encoder = null;
    return taken;
  }

  void freeCoded() {
    if (coded != null) {
      cache.free(coded);
      coded = null;
    }
  }
}
