package io.fieldstone.hybrid;

import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;

/**
 * A division on one part.
 *
 * @param part index of the part
 */
record DivisionOnPart(HybridEngine engine, int part, Division division) implements Division {

  @Override
  public Divisor divisor() {
    return division.divisor();
  }

  @Override
  public String method() {
    return division.method();
  }

  @Override
  public void warmUp() {
    division.warmUp();
  }

  @Override
  public long append(long register, MemorySegment message) {
    return division.append(register, message);
  }

  @Override
  public long append(long register, ResidentBytes data, long offset, long length) {
    return division.append(register, engine.resident(data).on(part), offset, length);
  }

  @Override
  public void append(long register, MemorySegment data, Extents messages, MemorySegment registers) {
    division.append(register, data, messages, registers);
  }

  @Override
  public void append(long register, ResidentBytes data, Extents messages, MemorySegment registers) {
    division.append(register, engine.resident(data).on(part), messages, registers);
  }
}
