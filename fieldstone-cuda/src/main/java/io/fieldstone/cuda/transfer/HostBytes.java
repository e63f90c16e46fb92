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
 * Bytes of a caller that are transferred in pieces: directly if their memory is pinned, else
 * through pinned staging memory, as {@link HostMatrices}.
 */
public final class HostBytes implements ByteSource {

  private final MemorySegment memory;
  private final boolean pinned;
  private final ParallelMemcpy copies;
  private long deviceOffset;
  private long pinnedOffset;

  private HostBytes(MemorySegment memory, boolean pinned, ParallelMemcpy copies) {
    this.memory = memory;
    this.pinned = pinned;
    this.copies = copies;
  }

  /**
   * Wraps input bytes.
   *
   * @throws IllegalStateException if the call does not hold their memory open
   */
  public static HostBytes input(Gpu gpu, MemorySegment memory) {
    MemorySegment unconfined = HeldMemory.unconfined(memory);
    return new HostBytes(unconfined, gpu.context().isPinned(unconfined), gpu.copies());
  }

  /**
   * Wraps output bytes.
   *
   * @throws IllegalArgumentException if their memory is read-only
   * @throws IllegalStateException if the call does not hold it open
   */
  public static HostBytes output(Gpu gpu, MemorySegment memory) {
    if (memory.isReadOnly()) {
      throw new IllegalArgumentException("the memory of the results is read-only");
    }
    return input(gpu, memory);
  }

  /** Returns whether the memory is pinned, so that the GPU accesses it directly. */
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

  /** Returns the bytes, accessible by all threads. */
  @Override
  public Optional<MemorySegment> hostMemory() {
    return Optional.of(memory);
  }

  @Override
  public void reserve(ScratchLayout scratch, long maxBytes) {
    deviceOffset = scratch.device(maxBytes);
    reservePinned(scratch, maxBytes);
  }

  /**
   * Reserves staging memory for {@link #enqueueUpload} or {@link #enqueueDownload} of up to {@code
   * maxBytes} bytes.
   */
  public void reservePinned(ScratchLayout scratch, long maxBytes) {
    if (!pinned) {
      pinnedOffset = scratch.pinned(maxBytes);
    }
  }

  @Override
  public long enqueueUpload(StreamSlot slot, ByteRange range) {
    long address = slot.device(deviceOffset);
    enqueueUpload(slot, range, address);
    return address;
  }

  /** Enqueues the upload of a range to a device address. */
  public void enqueueUpload(StreamSlot slot, ByteRange range, long address) {
    if (range.bytes() == 0) {
      return;
    }
    MemorySegment source = of(range);
    if (!pinned) {
      source = slot.pinned(pinnedOffset, range.bytes());
      copies.copy(row(of(range)), row(source));
    }
    try (StreamTrace.Open _ = slot.phase("upload", range.bytes())) {
      slot.stream().upload(source, address);
    }
  }

  /** Enqueues the download of a range, to be completed by {@link #copyOut}. */
  public void enqueueDownload(StreamSlot slot, long address, ByteRange range) {
    try (StreamTrace.Open _ = slot.phase("download", range.bytes())) {
      slot.stream()
          .download(address, pinned ? of(range) : slot.pinned(pinnedOffset, range.bytes()));
    }
  }

  /** Copies a downloaded range out of staging memory, after the slot's work has completed. */
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
