package io.fieldstone.cuda;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Bytes that are on the GPU already.
 *
 * @param address of the first
 * @param byteSize how many
 */
record ResidentSlice(long address, long byteSize) implements ByteSource {

  @Override
  public ResidentSlice slice(long offset, long bytes) {
    return new ResidentSlice(address + offset, bytes);
  }

  @Override
  public Optional<MemorySegment> home() {
    return Optional.empty();
  }

  @Override
  public void reserve(Workspace workspace, long most) {}

  @Override
  public long bring(Lane lane, Span span) {
    return address + span.offset();
  }
}
