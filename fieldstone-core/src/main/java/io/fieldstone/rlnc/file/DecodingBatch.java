package io.fieldstone.rlnc.file;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/** A slot of the decoder: some generations as held, and as they stand in the file. */
final class DecodingBatch {

  private final ObjectDescriptor descriptor;
  private final int blocks;
  private final HeldBatch held;
  private final MemorySegment decoded;
  private final MemorySegment coefficients;
  private final MemorySegment products;

  DecodingBatch(
      ObjectDescriptor descriptor, int capacity, int shards, NativeMemory memory)
      throws IOException {
    this.descriptor = descriptor;
    this.blocks = HeldBatch.rowsOf(descriptor);
    this.held = new HeldBatch(descriptor, blocks, capacity, shards, memory);
    int k = descriptor.shape().blockSize();
    this.decoded = memory.allocate((long) capacity * blocks * k);
    this.coefficients = memory.allocate((long) blocks * blocks);
    this.products = memory.allocate((long) blocks * k);
  }

  /** Bytes that one generation takes. */
  static long bytesOfGeneration(ObjectDescriptor descriptor) {
    int blocks = HeldBatch.rowsOf(descriptor);
    return HeldBatch.bytesOfGeneration(descriptor, blocks)
        + (long) blocks * descriptor.shape().blockSize();
  }

  HeldBatch held() {
    return held;
  }

  /** The bytes of the file, once solved. */
  MemorySegment decoded() {
    return decoded.asSlice(0, held.sourceBytes());
  }

  /** Solves every generation; all must be of full rank. */
  void solve(Engine engine) {
    int from = 0;
    for (int g = 0; g < held.generations(); g++) {
      if (held.hasSources(g)) {
        multiply(engine, from, g);
        solvePartly(engine, g);
        from = g + 1;
      }
    }
    multiply(engine, from, held.generations());
  }

  /** Generations from … to − 1 of which no source block is held: source = inverse · held. */
  private void multiply(Engine engine, int from, int to) {
    if (from == to) {
      return;
    }
    MemorySegment target = decoded.asSlice(offset(from, 0));
    engine
        .products()
        .multiply(
            descriptor.shape().field(),
            held.inverses(from, to - from),
            held.payloads(from, to - from),
            ByteMatrices.packed(target, to - from, blocks, descriptor.shape().blockSize()));
  }

  /** A generation of which some source blocks are held: only the others are worked for. */
  private void solvePartly(Engine engine, int g) {
    int k = descriptor.shape().blockSize();
    for (int row = 0; row < blocks; row++) {
      int source = held.sourceOfRow(g, row);
      if (source >= 0) {
        decoded.asSlice(offset(g, source), k).copyFrom(held.payload(g, row));
      }
    }
    BitSet sources = held.sources(g);
    int missing = 0;
    for (int source = 0; source < held.blocksOf(g); source++) {
      if (!sources.get(source)) {
        coefficients.asSlice((long) missing++ * blocks, blocks).copyFrom(held.inverse(g, source));
      }
    }
    if (missing == 0) {
      return;
    }
    engine
        .products()
        .multiply(
            descriptor.shape().field(),
            ByteMatrices.of(coefficients, missing, blocks),
            held.payloads(g, 1),
            ByteMatrices.of(products, missing, k));
    int product = 0;
    for (int source = 0; source < held.blocksOf(g); source++) {
      if (!sources.get(source)) {
        decoded
            .asSlice(offset(g, source), k)
            .copyFrom(products.asSlice((long) product++ * k, k));
      }
    }
  }

  private long offset(int g, int source) {
    return ((long) g * blocks + source) * descriptor.shape().blockSize();
  }
}
