package io.fieldstone.cuda.transfer;

import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.cuda.execution.ByteRange;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.PieceJob;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.execution.StreamTrace;
import io.fieldstone.cuda.execution.UsageGuard;
import io.fieldstone.engine.memory.MemoryPreconditions;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Bytes in device memory. Thread-safe as specified by {@link ResidentBytes}. */
public final class CudaResidentBytes implements ResidentBytes {

  /** The vector size of kernels, which read all vectors that overlap the bytes. */
  private static final long VECTOR_BYTES = 16;

  private final Gpu gpu;
  private final DeviceBuffer buffer;
  private final long bytes;
  private final UsageGuard usage = new UsageGuard();

  private CudaResidentBytes(Gpu gpu, DeviceBuffer buffer, long bytes) {
    this.gpu = gpu;
    this.buffer = buffer;
    this.bytes = bytes;
  }

  /** Allocates zeroed bytes. */
  public static CudaResidentBytes allocate(Gpu gpu, long bytes) {
    long alignedBytes = Math.addExact(bytes, VECTOR_BYTES - 1) & -VECTOR_BYTES;
    return new CudaResidentBytes(gpu, gpu.allocate(alignedBytes), bytes);
  }

  /**
   * Checks that bytes are resident on a GPU and returns them.
   *
   * @throws IllegalArgumentException if they are resident on another engine
   */
  public static CudaResidentBytes on(Gpu gpu, ResidentBytes bytes) {
    return MemoryPreconditions.requireResident(
        "bytes", bytes, CudaResidentBytes.class, own -> own.gpu == gpu);
  }

  @Override
  public long byteSize() {
    return bytes;
  }

  @Override
  public void store(long offset, MemorySegment source) {
    Objects.checkFromIndexSize(offset, source.byteSize(), bytes);
    run(
        () -> "store %d bytes".formatted(source.byteSize()),
        address -> gpu.jobs().run(new Store(HostBytes.input(gpu, source), address + offset)),
        source);
  }

  /**
   * Copies directly from another GPU if the hardware has a path; otherwise the driver copies
   * through the host.
   */
  @Override
  public void store(long offset, ResidentBytes source, long sourceOffset, long length) {
    if (source instanceof CudaResidentBytes peer
        && gpu.context().isOfSameDriverAs(peer.gpu.context())) {
      Objects.checkFromIndexSize(offset, length, bytes);
      Objects.checkFromIndexSize(sourceOffset, length, peer.bytes);
      Supplier<String> operation = () -> "copy %d bytes to the GPU".formatted(length);
      peer.gpu.run(
          operation,
          () ->
              peer.useAddress(from -> {
                run(operation, to -> copy(peer.gpu, from + sourceOffset, to + offset, length));
              }));
    } else {
      ResidentBytes.super.store(offset, source, sourceOffset, length);
    }
  }

  private void copy(Gpu from, long source, long target, long length) {
    if (from != gpu) {
      gpu.context().enablePeerAccess(from.context());
    }
    gpu.streams()
        .useOne(slot -> {
          try (StreamTrace.Open _ = slot.phase("exchange", length)) {
            slot.stream().copyFrom(from.context(), source, target, length);
          }
          slot.stream().synchronize();
        });
  }

  @Override
  public void read(long offset, MemorySegment destination) {
    Objects.checkFromIndexSize(offset, destination.byteSize(), bytes);
    run(
        () -> "read %d bytes".formatted(destination.byteSize()),
        address -> gpu.jobs().run(new Read(HostBytes.output(gpu, destination), address + offset)),
        destination);
  }

  private void run(Supplier<String> operation, LongConsumer work, MemorySegment... memory) {
    gpu.run(operation, () -> useAddress(work), memory);
  }

  /**
   * Runs {@code work} with the address of the bytes, within a call; they are not freed meanwhile.
   */
  public <T> T withAddress(LongFunction<T> work) {
    usage.enter();
    try {
      return work.apply(buffer.address());
    } finally {
      usage.leave();
    }
  }

  /** Runs {@code work}, which has no result, as {@link #withAddress} does. */
  public void useAddress(LongConsumer work) {
    usage.enter();
    try {
      work.accept(buffer.address());
    } finally {
      usage.leave();
    }
  }

  /**
   * Runs {@code work} with the address while no other call uses the bytes. Kernels that count bytes
   * and then move them would write out of bounds if the bytes changed in between.
   */
  public void withExclusiveAddress(LongConsumer work) {
    usage.runExclusively(() -> work.accept(buffer.address()));
  }

  /** Waits for running calls and frees the memory. Idempotent, also after the engine is closed. */
  @Override
  public void close() {
    usage.close("the resident bytes are closed");
    usage.awaitUnused();
    buffer.close();
  }

  /** A transfer between host memory and the GPU. */
  private abstract static class Transfer implements PieceJob<ByteRange> {
    final HostBytes host;
    final long address;

    Transfer(HostBytes host, long address) {
      this.host = host;
      this.address = address;
    }

    @Override
    public List<ByteRange> split(long maxBytes) {
      return ByteRange.split(host.byteSize(), maxBytes);
    }

    @Override
    public void reserve(ScratchLayout scratch, List<ByteRange> pieces) {
      host.reservePinned(scratch, ByteRange.maxBytes(pieces));
    }
  }

  private static final class Store extends Transfer {
    Store(HostBytes host, long address) {
      super(host, address);
    }

    @Override
    public void enqueue(StreamSlot slot, ByteRange range) {
      host.enqueueUpload(slot, range, address + range.offset());
      slot.mark();
    }

    @Override
    public void finish(StreamSlot slot, ByteRange range) {
      slot.await();
    }
  }

  private static final class Read extends Transfer {
    Read(HostBytes host, long address) {
      super(host, address);
    }

    @Override
    public void enqueue(StreamSlot slot, ByteRange range) {
      host.enqueueDownload(slot, address + range.offset(), range);
      slot.mark();
    }

    @Override
    public void finish(StreamSlot slot, ByteRange range) {
      slot.await();
      host.copyOut(slot, range);
    }
  }
}
