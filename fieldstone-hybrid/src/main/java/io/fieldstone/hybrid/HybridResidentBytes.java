package io.fieldstone.hybrid;

import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;

/**
 * Bytes that are resident on every part, so that any part can process any of them. Stores go to
 * each part. Bytes that one part has changed are copied to another when it needs them.
 */
final class HybridResidentBytes implements ResidentBytes {

  private final HybridEngine engine;
  private final List<ResidentBytes> bytes;

  /** The parts whose bytes are stale; never all of them. */
  private final BitSet stale = new BitSet();

  /**
   * Takes over the bytes of each part, of equal size.
   *
   * @param bytes in the order of the engine's parts
   */
  HybridResidentBytes(HybridEngine engine, List<ResidentBytes> bytes) {
    this.engine = engine;
    this.bytes = List.copyOf(bytes);
  }

  /** Returns whether they are resident on an engine. */
  boolean isOn(HybridEngine other) {
    return engine.equals(other);
  }

  /** Returns a part's bytes after updating them. */
  synchronized ResidentBytes on(int part) {
    if (stale.get(part)) {
      bytes.get(part).store(0, bytes.get(stale.nextClearBit(0)), 0, byteSize());
      stale.clear(part);
    }
    return bytes.get(part);
  }

  /** Records that a part has changed its bytes; those of all others are stale. */
  synchronized void changed(int part) {
    stale.set(0, bytes.size());
    stale.clear(part);
  }

  @Override
  public long byteSize() {
    return bytes.getFirst().byteSize();
  }

  /** Stores on each part; other stale bytes are copied when they are needed. */
  @Override
  public void store(long offset, MemorySegment source) {
    HeldMemory.run(() -> storeOnAll(offset, HeldMemory.unconfined(source)), source);
  }

  private void storeOnAll(long offset, MemorySegment source) {
    engine
        .pool()
        .runAll(bytes.stream().<Runnable>map(part -> () -> part.store(offset, source)).toList());
  }

  @Override
  public synchronized void read(long offset, MemorySegment destination) {
    bytes.get(stale.nextClearBit(0)).read(offset, destination);
  }

  @Override
  public void close() {
    CloseAll.closeAll(bytes, ResidentBytes::close);
  }
}
