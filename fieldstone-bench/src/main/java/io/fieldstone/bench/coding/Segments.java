package io.fieldstone.bench.coding;

import io.fieldstone.bench.measure.RandomBytes;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.field.Gf256;
import java.lang.foreign.ValueLayout;

/**
 * Keeps segments of n random blocks of k bytes resident on an engine, as a streaming server does
 * (Nuclei, Fig. 8). Segments recur, so that host memory holds only some of them.
 */
final class Segments implements AutoCloseable {

  private static final long DISTINCT_BYTES = 32L << 20;

  private final Batch batch;
  private final HostMemory memory;
  private final ByteMatrices distinct;
  private final ResidentBlocks resident;

  Segments(Engine engine, Batch batch) {
    this.batch = batch;
    long segmentBytes = (long) batch.n() * batch.k();
    long distinctCount = Math.clamp(DISTINCT_BYTES / segmentBytes, 1, batch.count());
    this.memory = engine.allocateHost(distinctCount * segmentBytes);
    this.distinct = ByteMatrices.packed(memory.segment(), distinctCount, batch.n(), batch.k());
    RandomBytes.fill(memory.segment(), segmentBytes);
    this.resident = engine.allocate(Gf256.DEFAULT, batch.count(), batch.n(), batch.k());
    for (long first = 0; first < batch.count(); first += distinctCount) {
      long count = Math.min(distinctCount, batch.count() - first);
      resident.store(first, distinct.matrices(0, count));
    }
  }

  /** Returns the resident blocks. */
  ResidentBlocks resident() {
    return resident;
  }

  /** Returns a byte of a segment. */
  int byteAt(long segment, int row, int column) {
    long offset = distinct.offset(segment % distinct.count(), row) + column;
    return distinct.data().get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
  }

  /** Writes all segments to host memory. */
  void writeTo(ByteMatrices target) {
    for (long segment = 0; segment < batch.count(); segment++) {
      for (int row = 0; row < batch.n(); row++) {
        target.row(segment, row).copyFrom(distinct.row(segment % distinct.count(), row));
      }
    }
  }

  @Override
  public void close() {
    resident.close();
    memory.close();
  }
}
