package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Bytes that a kernel is to read, wherever they are. */
public interface ByteSource {

  long byteSize();

  /** Some of them. */
  ByteSource slice(long offset, long bytes);

  /** The bytes, if they are in host memory and have to cross the bus. */
  Optional<MemorySegment> hostMemory();

  /** Reserves what bringing any span of up to {@code most} bytes takes in a lane. */
  void reserve(ScratchLayout scratch, long most);

  /** Bytes of a piece: what crosses the bus is cut, what is there is not. */
  default long pieceBytes() {
    return hostMemory().isPresent() ? ByteRange.TRANSFER_BYTES : ByteRange.RESIDENT_BYTES;
  }

  /** Brings a span to the GPU, or finds it there; returns its address. */
  long enqueueUpload(StreamSlot slot, ByteRange range);
}
