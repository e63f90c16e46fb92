package io.fieldstone.crc;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A register that a {@link Divider} advances. */
final class DividedState implements CrcState {

  private final CrcModel model;
  private final Divider divider;
  private CrcValue register;

  DividedState(CrcModel model, Divider divider) {
    this(model, divider, model.init());
  }

  private DividedState(CrcModel model, Divider divider, CrcValue register) {
    this.model = model;
    this.divider = divider;
    this.register = register;
  }

  @Override
  public void update(int value) {
    update(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    register = divider.append(register, bytes, offset, length);
  }

  @Override
  public void update(ByteBuffer buffer) {
    update(MemorySegment.ofBuffer(buffer));
    buffer.position(buffer.limit());
  }

  @Override
  public void update(MemorySegment bytes) {
    register = divider.append(register, bytes);
  }

  @Override
  public CrcValue value() {
    return model.checksum(register);
  }

  @Override
  public void reset() {
    register = model.init();
  }

  @Override
  public DividedState copy() {
    return new DividedState(model, divider, register);
  }
}
