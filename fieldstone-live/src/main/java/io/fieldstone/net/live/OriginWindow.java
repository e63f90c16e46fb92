package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowEncoder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** The window of the origin of a flow. For one thread. */
final class OriginWindow implements LiveWindow {

  private final FlowShape shape;
  private final WindowEncoder encoder;
  private final long[] addedNanos;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment source;
  private final MemorySegment symbol;

  OriginWindow(Engine engine, FlowShape shape) {
    this.shape = shape;
    this.encoder =
        WindowEncoder.open(engine, shape.encoderShape(), WindowCode.GF256, shape.first());
    this.addedNanos = new long[shape.window()];
    this.source = arena.allocate(shape.sourceBytes());
    this.symbol = arena.allocate(encoder.shape().symbolBytes());
  }

  /**
   * Adds a source.
   *
   * @param flags which parts of a packet it is
   * @param part 1 … {@link FlowShape#sourceBytes} − 1 bytes
   */
  void add(int flags, MemorySegment part, long nowNanos) {
    source.set(ValueLayout.JAVA_BYTE, 0, (byte) flags);
    MemorySegment.copy(part, 0, source, 1, part.byteSize());
    long id = encoder.add(source.asSlice(0, 1 + part.byteSize()));
    addedNanos[slot(id)] = nowNanos;
  }

  private int slot(long id) {
    return (int) (id % addedNanos.length);
  }

  @Override
  public FlowShape shape() {
    return shape;
  }

  @Override
  public long first() {
    return encoder.first();
  }

  @Override
  public long end() {
    return encoder.next();
  }

  @Override
  public Optional<MemorySegment> source(long id) {
    return id < first() || id >= end() ? Optional.empty() : Optional.of(encoder.packet(id));
  }

  @Override
  public boolean isSkipped(long id) {
    return false;
  }

  @Override
  public long addedNanos(long id) {
    return addedNanos[slot(id)];
  }

  @Override
  public int repair(long number, long first, long end, long nowNanos, MemorySegment packet) {
    long from = Math.max(first, encoder.first());
    if (from >= end) {
      return 0;
    }
    int count = (int) (end - from);
    int key = (int) (number & WindowCode.MAX_KEY);
    encoder.repair(key, from, count, symbol);
    return LivePacket.writeRepair(
        packet, nowNanos, number, from, count, MemorySegment.NULL, symbol);
  }

  @Override
  public int lacking(long first, long to) {
    return 0;
  }

  @Override
  public void release(long firstWanted) {
    encoder.acknowledge(Math.min(firstWanted, encoder.next()));
  }

  @Override
  public void close() {
    encoder.close();
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
