package io.fieldstone.cuda;

import io.fieldstone.engine.ByteMatrices;
import io.fieldstone.engine.HeldMemory;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Bytes of a caller that cross the bus piece by piece: from and to pinned memory by the GPU itself,
 * else through pinned memory of the lane, as {@link HostOperand} does with matrices.
 */
final class HostBytes implements ByteSource {

  private final MemorySegment memory;
  private final boolean direct;
  private final HostCopies copies;
  private long deviceOffset;
  private long pinnedOffset;

  private HostBytes(MemorySegment memory, boolean direct, HostCopies copies) {
    this.memory = memory;
    this.direct = direct;
    this.copies = copies;
  }

  /**
   * Bytes to be read.
   *
   * @throws IllegalStateException if the call does not keep their memory open
   */
  static HostBytes input(Gpu gpu, MemorySegment memory) {
    MemorySegment unconfined = HeldMemory.unconfined(memory);
    return new HostBytes(unconfined, gpu.context().isPinned(unconfined), gpu.copies());
  }

  /**
   * Bytes to be written.
   *
   * @throws IllegalArgumentException if their memory is read-only
   * @throws IllegalStateException if the call does not keep it open
   */
  static HostBytes output(Gpu gpu, MemorySegment memory) {
    if (memory.isReadOnly()) {
      throw new IllegalArgumentException("the memory of the results is read-only");
    }
    return input(gpu, memory);
  }

  /** Whether the GPU copies from and to the memory itself. */
  boolean isDirect() {
    return direct;
  }

  @Override
  public long byteSize() {
    return memory.byteSize();
  }

  @Override
  public HostBytes slice(long offset, long bytes) {
    return new HostBytes(memory.asSlice(offset, bytes), direct, copies);
  }

  /** In memory that any thread may touch. */
  @Override
  public Optional<MemorySegment> home() {
    return Optional.of(memory);
  }

  @Override
  public void reserve(Workspace workspace, long most) {
    deviceOffset = workspace.device(most);
    reservePinned(workspace, most);
  }

  /** Reserves what {@link #upload} or {@link #download} takes of up to {@code most} bytes. */
  void reservePinned(Workspace workspace, long most) {
    if (!direct) {
      pinnedOffset = workspace.pinned(most);
    }
  }

  @Override
  public long bring(Lane lane, Span span) {
    long address = lane.device(deviceOffset);
    upload(lane, span, address);
    return address;
  }

  /** Sends a span to an address on the GPU. */
  void upload(Lane lane, Span span, long address) {
    if (span.bytes() == 0) {
      return;
    }
    MemorySegment from = of(span);
    if (!direct) {
      from = lane.pinned(pinnedOffset, span.bytes());
      copies.copy(row(of(span)), row(from));
    }
    try (LanePhases.Open _ = lane.phase("upload", span.bytes())) {
      lane.stream().upload(from, address);
    }
  }

  /** Asks for a span from the GPU; it is there after {@link #bringHome}. */
  void download(Lane lane, long address, Span span) {
    try (LanePhases.Open _ = lane.phase("download", span.bytes())) {
      lane.stream().download(address, direct ? of(span) : lane.pinned(pinnedOffset, span.bytes()));
    }
  }

  /** Brings a span home from where {@link #download} left it, after the lane is done. */
  void bringHome(Lane lane, Span span) {
    if (!direct) {
      copies.copy(row(lane.pinned(pinnedOffset, span.bytes())), row(of(span)));
    }
  }

  private MemorySegment of(Span span) {
    return memory.asSlice(span.offset(), span.bytes());
  }

  private static ByteMatrices row(MemorySegment bytes) {
    return ByteMatrices.of(bytes, 1, Math.toIntExact(bytes.byteSize()));
  }
}
