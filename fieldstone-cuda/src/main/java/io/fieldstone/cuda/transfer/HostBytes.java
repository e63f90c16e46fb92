package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ParallelMemcpy;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.memory.HeldMemory;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Bytes of a caller that cross the bus piece by piece: from and to pinned memory by the GPU itself,
 * else through pinned memory of the lane, as {@link HostMatrices} does with matrices.
 */
public final class HostBytes implements ByteSource {

  private final MemorySegment memory;
  private final boolean pinned;
  private final ParallelMemcpy copies;
  private long deviceOffset;
  private long pinnedOffset;

  private HostBytes(MemorySegment memory, boolean direct, ParallelMemcpy copies) {
    this.memory = memory;
    this.pinned = direct;
    this.copies = copies;
  }

  /**
   * Bytes to be read.
   *
   * @throws IllegalStateException if the call does not keep their memory open
   */
  public static HostBytes input(Gpu gpu, MemorySegment memory) {
    MemorySegment unconfined = HeldMemory.unconfined(memory);
    return new HostBytes(unconfined, gpu.context().isPinned(unconfined), gpu.copies());
  }

  /**
   * Bytes to be written.
   *
   * @throws IllegalArgumentException if their memory is read-only
   * @throws IllegalStateException if the call does not keep it open
   */
  public static HostBytes output(Gpu gpu, MemorySegment memory) {
    if (memory.isReadOnly()) {
      throw new IllegalArgumentException("the memory of the results is read-only");
    }
    return input(gpu, memory);
  }

  /** Whether the GPU copies from and to the memory itself. */
  public boolean isPinned() {
    return pinned;
  }

  @Override
  public long byteSize() {
    return memory.byteSize();
  }

  @Override
  public HostBytes slice(long offset, long bytes) {
    return new HostBytes(memory.asSlice(offset, bytes), pinned, copies);
  }

  /** In memory that any thread may touch. */
  @Override
  public Optional<MemorySegment> hostMemory() {
    return Optional.of(memory);
  }

  @Override
  public void reserve(ScratchLayout scratch, long most) {
    deviceOffset = scratch.device(most);
    reservePinned(scratch, most);
  }

  /**
   * Reserves what {@link #enqueueUpload} or {@link #enqueueDownload} takes of up to {@code most}
   * bytes.
   */
  public void reservePinned(ScratchLayout scratch, long most) {
    if (!pinned) {
      pinnedOffset = scratch.pinned(most);
    }
  }

  @Override
  public long enqueueUpload(StreamSlot slot, ByteRange range) {
    long address = slot.device(deviceOffset);
    enqueueUpload(slot, range, address);
    return address;
  }

  /** Sends a span to an address on the GPU. */
  public void enqueueUpload(StreamSlot slot, ByteRange range, long address) {
    if (range.bytes() == 0) {
      return;
    }
    MemorySegment from = of(range);
    if (!pinned) {
      from = slot.pinned(pinnedOffset, range.bytes());
      copies.copy(row(of(range)), row(from));
    }
    try (StreamTrace.Open _ = slot.phase("upload", range.bytes())) {
      slot.stream().upload(from, address);
    }
  }

  /** Asks for a span from the GPU; it is there after {@link #copyOut}. */
  public void enqueueDownload(StreamSlot slot, long address, ByteRange range) {
    try (StreamTrace.Open _ = slot.phase("download", range.bytes())) {
      slot.stream()
          .download(address, pinned ? of(range) : slot.pinned(pinnedOffset, range.bytes()));
    }
  }

  /** Brings a span home from where {@link #enqueueDownload} left it, after the lane is done. */
  public void copyOut(StreamSlot slot, ByteRange range) {
    if (!pinned) {
      copies.copy(row(slot.pinned(pinnedOffset, range.bytes())), row(of(range)));
    }
  }

  private MemorySegment of(ByteRange range) {
    return memory.asSlice(range.offset(), range.bytes());
  }

  private static ByteMatrices row(MemorySegment bytes) {
    return ByteMatrices.of(bytes, 1, Math.toIntExact(bytes.byteSize()));
  }
}
