package io.fieldstone.crc;

import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;

/**
 * Divides on an engine, in registers of up to 64 bits.
 *
 * @param division the engine's division
 */
record EngineDivider(Division division) implements Divider {

  @Override
  public CrcValue append(CrcValue register, MemorySegment message) {
    return CrcValue.of(register.width(), division.append(register.low(), message));
  }

  @Override
  public CrcValue append(CrcValue register, byte[] bytes, int offset, int length) {
    return append(register, MemorySegment.ofArray(bytes).asSlice(offset, length));
  }

  @Override
  public CrcValue append(CrcValue register, ResidentBytes data, long offset, long length) {
    return CrcValue.of(register.width(), division.append(register.low(), data, offset, length));
  }

  @Override
  public void expect(long bytes) {
    division.expect(bytes);
  }

  @Override
  public String method() {
    return division.method();
  }
}
