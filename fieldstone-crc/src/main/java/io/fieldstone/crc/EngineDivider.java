package io.fieldstone.crc;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Divides on an engine, in registers of up to 64 bits. */
final class EngineDivider implements Divider {

  private final CrcModel model;
  private final String method;
  private volatile @Nullable Division division;

  /** Creates a divider on an engine. */
  EngineDivider(CrcModel model, Division division) {
    this.model = model;
    this.method = division.method();
    this.division = division;
  }

  /** Creates a divider on the calling thread, which opens an engine when it first divides. */
  EngineDivider(CrcModel model) {
    this.model = model;
    this.method = Methods.AUTO;
  }

  @Override
  public CrcValue append(CrcValue register, MemorySegment message) {
    return CrcValue.of(register.width(), division().append(register.low(), message));
  }

  @Override
  public CrcValue append(CrcValue register, byte[] bytes, int offset, int length) {
    return append(register, MemorySegment.ofArray(bytes).asSlice(offset, length));
  }

  @Override
  public CrcValue append(CrcValue register, ResidentBytes data, long offset, long length) {
    return CrcValue.of(register.width(), division().append(register.low(), data, offset, length));
  }

  @Override
  public void expect(long bytes) {
    division().expect(bytes);
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public Division division() {
    Division made = division;
    if (made == null) {
      made = OneThread.ENGINE.checksums().division(model.divisor());
      division = made;
    }
    return made;
  }

  /** The cores, with one thread, the caller's. The engine holds only tables; it is never closed. */
  private static final class OneThread {
    static final Engine ENGINE = Engine.open("cpu", new EngineOptions(1));

    private OneThread() {}
  }
}
