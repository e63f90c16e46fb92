package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Bytes that are on the GPU already.
 *
 * @param address of the first
 * @param byteSize how many
 */
public record ResidentSlice(long address, long byteSize) implements ByteSource {

  @Override
  public ResidentSlice slice(long offset, long bytes) {
    return new ResidentSlice(address + offset, bytes);
  }

  @Override
  public Optional<MemorySegment> hostMemory() {
    return Optional.empty();
  }

  @Override
  public void reserve(ScratchLayout scratch, long most) {}

  @Override
  public long enqueueUpload(StreamSlot slot, ByteRange range) {
    return address + range.offset();
  }
}
