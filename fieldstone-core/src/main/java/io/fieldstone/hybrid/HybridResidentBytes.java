package io.fieldstone.hybrid;

import io.fieldstone.engine.memory.HeldMemory;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;

/**
 * Bytes that are resident on every part, so that any part can work on any of them. What is stored
 * is stored on each; what one part has changed is copied to another when that needs it.
 */
final class HybridResidentBytes implements ResidentBytes {

  private final HybridEngine engine;
  private final List<ResidentBytes> bytes;

  /** The parts whose bytes are out of date; never all of them. */
  private final BitSet stale = new BitSet();

  /**
   * Takes over the bytes of each part, as many on each.
   *
   * @param bytes in the order of the engine's parts
   */
  HybridResidentBytes(HybridEngine engine, List<ResidentBytes> bytes) {
    this.engine = engine;
    this.bytes = List.copyOf(bytes);
  }

  /** Whether they belong to this engine. */
  boolean isOf(HybridEngine other) {
    return engine.equals(other);
  }

  /** A part's bytes, up to date. */
  synchronized ResidentBytes on(int part) {
    if (stale.get(part)) {
      bytes.get(part).store(0, bytes.get(stale.nextClearBit(0)), 0, byteSize());
      stale.clear(part);
    }
    return bytes.get(part);
  }

  /** A part has changed its bytes, so it alone has them as they are now. */
  synchronized void changed(int part) {
    stale.set(0, bytes.size());
    stale.clear(part);
  }

  @Override
  public long byteSize() {
    return bytes.getFirst().byteSize();
  }

  /** On each part; where bytes are out of date, the rest of them follow when needed. */
  @Override
  public void store(long offset, MemorySegment source) {
    HeldMemory.run(() -> storeOnAll(offset, HeldMemory.unconfined(source)), source);
  }

  private void storeOnAll(long offset, MemorySegment source) {
    engine
        .threads()
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
