package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.DeviceBuffer;
import io.fieldstone.engine.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Bytes in the memory of a GPU. Thread-safe as {@link ResidentBytes} says. */
final class CudaResidentBytes implements ResidentBytes {

  /** Kernels read whole vectors of so many bytes, also the ones around the first and last byte. */
  private static final long VECTOR = 16;

  private final Gpu gpu;
  private final DeviceBuffer buffer;
  private final long bytes;
  private final Occupancy occupancy = new Occupancy();

  private CudaResidentBytes(Gpu gpu, DeviceBuffer buffer, long bytes) {
    this.gpu = gpu;
    this.buffer = buffer;
    this.bytes = bytes;
  }

  /** Zeros. */
  static CudaResidentBytes allocate(Gpu gpu, long bytes) {
    long whole = Math.addExact(bytes, VECTOR - 1) & -VECTOR;
    return new CudaResidentBytes(gpu, gpu.allocate(whole), bytes);
  }

  /**
   * Bytes of an engine's own.
   *
   * @throws IllegalArgumentException if they are resident elsewhere
   */
  static CudaResidentBytes on(Gpu gpu, ResidentBytes bytes) {
    if (bytes instanceof CudaResidentBytes own && own.gpu == gpu) {
      return own;
    }
    throw new IllegalArgumentException("the bytes are resident on another engine");
  }

  @Override
  public long byteSize() {
    return bytes;
  }

  @Override
  public void store(long offset, MemorySegment source) {
    Objects.checkFromIndexSize(offset, source.byteSize(), bytes);
    call(
        () -> "store %d bytes".formatted(source.byteSize()),
        address -> gpu.run(new Store(HostBytes.input(gpu, source), address + offset)),
        source);
  }

  /** From another GPU straight, if there is a way; at worst the driver goes through the host. */
  @Override
  public void store(long offset, ResidentBytes source, long sourceOffset, long length) {
    if (source instanceof CudaResidentBytes other
        && gpu.context().isOfSameDriverAs(other.gpu.context())) {
      Objects.checkFromIndexSize(offset, length, bytes);
      Objects.checkFromIndexSize(sourceOffset, length, other.bytes);
      Supplier<String> what = () -> "copy %d bytes to the GPU".formatted(length);
      other.gpu.call(
          what,
          () ->
              other.inside(from -> {
                call(what, to -> copy(other.gpu, from + sourceOffset, to + offset, length));
                return this;
              }));
    } else {
      ResidentBytes.super.store(offset, source, sourceOffset, length);
    }
  }

  private void copy(Gpu from, long source, long target, long length) {
    if (from != gpu) {
      gpu.context().reach(from.context());
    }
    gpu.lanes()
        .useOne(lane -> {
          try (LanePhases.Open _ = lane.phase("exchange", length)) {
            lane.stream().copyFrom(from.context(), source, target, length);
          }
          lane.stream().synchronize();
        });
  }

  @Override
  public void read(long offset, MemorySegment destination) {
    Objects.checkFromIndexSize(offset, destination.byteSize(), bytes);
    call(
        () -> "read %d bytes".formatted(destination.byteSize()),
        address -> gpu.run(new Read(HostBytes.output(gpu, destination), address + offset)),
        destination);
  }

  private void call(Supplier<String> what, LongConsumer work, MemorySegment... memory) {
    gpu.call(
        what,
        () ->
            inside(address -> {
              work.accept(address);
              return this;
            }),
        memory);
  }

  /** Works on the bytes, of which it is given the address, within a call: they stay meanwhile. */
  <T> T inside(LongFunction<T> work) {
    occupancy.enter();
    try {
      return work.apply(buffer.address());
    } finally {
      occupancy.leave();
    }
  }

  /**
   * As {@link #inside}, while no other call is: kernels that count bytes and then move them would
   * leave the memory if somebody stored others in between.
   */
  void alone(LongConsumer work) {
    occupancy.runAlone(() -> work.accept(buffer.address()));
  }

  /** Waits for calls under way and frees the memory. Idempotent, also after the engine's. */
  @Override
  public void close() {
    occupancy.shut("the resident bytes are closed");
    occupancy.awaitEmpty();
    buffer.close();
  }

  /** A copy between host memory and the GPU. */
  private abstract static class Transfer implements ByteJob<Span> {
    final HostBytes host;
    final long address;

    Transfer(HostBytes host, long address) {
      this.host = host;
      this.address = address;
    }

    @Override
    public List<Span> cut(long most) {
      return Span.cut(host.byteSize(), most);
    }

    @Override
    public void reserve(Workspace workspace, List<Span> pieces) {
      host.reservePinned(workspace, Span.most(pieces));
    }
  }

  private static final class Store extends Transfer {
    Store(HostBytes host, long address) {
      super(host, address);
    }

    @Override
    public void begin(Lane lane, Span span) {
      host.upload(lane, span, address + span.offset());
      lane.mark();
    }

    @Override
    public void finish(Lane lane, Span span) {
      lane.await();
    }
  }

  private static final class Read extends Transfer {
    Read(HostBytes host, long address) {
      super(host, address);
    }

    @Override
    public void begin(Lane lane, Span span) {
      host.download(lane, address + span.offset(), span);
      lane.mark();
    }

    @Override
    public void finish(Lane lane, Span span) {
      lane.await();
      host.bringHome(lane, span);
    }
  }
}
