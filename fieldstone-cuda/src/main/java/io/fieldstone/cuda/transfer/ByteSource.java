package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Input bytes of a kernel, in host memory or on the GPU. */
public interface ByteSource {

  long byteSize();

  /** Returns a part of the bytes. */
  ByteSource slice(long offset, long bytes);

  /** Returns the host memory, or empty if the bytes are on the GPU. */
  Optional<MemorySegment> hostMemory();

  /** Reserves scratch memory for uploads of up to {@code maxBytes} bytes. */
  void reserve(ScratchLayout scratch, long maxBytes);

  /** Returns the preferred size of a piece: resident bytes are not split. */
  default long pieceBytes() {
    return hostMemory().isPresent() ? ByteRange.TRANSFER_BYTES : ByteRange.RESIDENT_BYTES;
  }

  /** Enqueues the upload of a range, if it is in host memory, and returns its device address. */
  long enqueueUpload(StreamSlot slot, ByteRange range);
}
