package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A range of resident bytes.
 *
 * @param address the device address
 * @param byteSize the length
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
  public void reserve(ScratchLayout scratch, long maxBytes) {}

  @Override
  public long enqueueUpload(StreamSlot slot, ByteRange range) {
    return address + range.offset();
  }
}
