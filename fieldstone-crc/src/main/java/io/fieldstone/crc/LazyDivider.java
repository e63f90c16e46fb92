package io.fieldstone.crc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Divides on the calling thread, in registers of up to 64 bits: the first {@value #TABLE_BYTES}
 * bytes by a table, then on an engine. To open the engine takes a tenth of a second. So the first
 * messages use neither the engine, nor lambdas or {@link MemorySegment} if they are arrays.
 */
final class LazyDivider implements Divider {

  /** The bytes divided before the engine is opened; the table takes a millisecond for them. */
  static final int TABLE_BYTES = 1 << 18;

  /** The dividers by polynomial and order of bits. A list, because records hash slowly at first. */
  private static final Map<List<Object>, LazyDivider> DIVIDERS = new ConcurrentHashMap<>();

  private final CrcModel model;
  private volatile @Nullable BytewiseDivider table;
  private final AtomicLong divided = new AtomicLong();
  private volatile @Nullable EngineDivider opened;

  private LazyDivider(CrcModel model) {
    this.model = model;
  }

  /** Returns the divider of a model, which all checksums of its polynomial share. */
  static LazyDivider of(CrcModel model) {
    CrcValue poly = model.poly();
    List<Object> key = List.of(poly.width(), poly.low(), model.refin());
    LazyDivider known = DIVIDERS.get(key);
    if (known != null) {
      return known;
    }
    LazyDivider created = new LazyDivider(model);
    LazyDivider earlier = DIVIDERS.putIfAbsent(key, created);
    return earlier == null ? created : earlier;
  }

  @Override
  public CrcValue append(CrcValue register, MemorySegment message) {
    return isForTable(message.byteSize())
        ? table().append(register, message)
        : engine().append(register, message);
  }

  @Override
  public CrcValue append(CrcValue register, byte[] bytes, int offset, int length) {
    return isForTable(length)
        ? table().append(register, bytes, offset, length)
        : engine().append(register, bytes, offset, length);
  }

  @Override
  public CrcValue append(CrcValue register, ResidentBytes data, long offset, long length) {
    return engine().append(register, data, offset, length);
  }

  @Override
  public Division division() {
    return engine().division();
  }

  @Override
  public String method() {
    return Methods.AUTO;
  }

  /** Counts bytes, and returns whether the table divides them. */
  private boolean isForTable(long bytes) {
    return opened == null && bytes <= TABLE_BYTES && divided.addAndGet(bytes) <= TABLE_BYTES;
  }

  private BytewiseDivider table() {
    BytewiseDivider divider = table;
    if (divider == null) {
      divider = new BytewiseDivider(model);
      table = divider;
    }
    return divider;
  }

  private EngineDivider engine() {
    EngineDivider divider = opened;
    if (divider == null) {
      divider = new EngineDivider(OneThread.ENGINE.checksums().division(model.divisor()));
      opened = divider;
    }
    return divider;
  }

  /** The cores, with one thread, the caller's. The engine holds only tables; it is never closed. */
  private static final class OneThread {
    static final Engine ENGINE = Engine.open("cpu", new EngineOptions(1));

    private OneThread() {}
  }
}
