package io.fieldstone.rlnc.object;

import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.rlnc.Encoder;
import io.fieldstone.rlnc.GenerationShape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  private @Nullable Exception failure;

  /** The senders that use it, and the load while it lasts. */
  int pins;

  /** Whether its bytes are not there yet. */
  boolean isLoading = true;

  /** Whether the cache has forgotten it, so that its memory is freed after the last use. */
  boolean isRemoved;

  /** The senders that wait for the end of the load. */
  final List<ObjectSender> waiting = new ArrayList<>();

  CachedGeneration(GenerationCache cache, SourceObject object, int generation, HostMemory memory) {
    this.cache = cache;
    this.object = object;
    this.generation = generation;
    this.shape = object.manifest().shapeOf(generation);
    this.memory = memory;
  }

  GenerationCache cache() {
    return cache;
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

  /** Returns its n·k bytes. */
  MemorySegment source() {
    return memory.segment().asSlice(0, shape.bytes());
  }

  /** Notes the end of the load. */
  void loaded(@Nullable Exception newFailure) {
    failure = newFailure;
    isLoading = false;
  }

  /**
   * Checks that its bytes could be read.
   *
   * @throws IOException if not
   */
  void requireRead() throws IOException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Exception e -> throw new IllegalStateException(e);
    }
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
      coded.close();
      coded = null;
    }
  }
}
