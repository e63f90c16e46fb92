package io.fieldstone.cuda;

import io.fieldstone.engine.Agreement;
import io.fieldstone.engine.Division;
import io.fieldstone.engine.Divisor;
import io.fieldstone.engine.Extents;
import io.fieldstone.engine.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Supplier;

/** Division by one method of a GPU. */
final class CudaDivision implements Division {

  private final Gpu gpu;
  private final Divisor divisor;
  private final String name;
  private final GpuMethod method;

  CudaDivision(Gpu gpu, Divisor divisor, String name, GpuMethod method) {
    this.gpu = gpu;
    this.divisor = divisor;
    this.name = name;
    this.method = method;
  }

  @Override
  public Divisor divisor() {
    return divisor;
  }

  @Override
  public String method() {
    return name;
  }

  @Override
  public long append(long register, MemorySegment message) {
    Agreement.requireRegister(divisor, register);
    return gpu.call(
        what("%d bytes", message.byteSize()),
        () -> method.append(register, gpu.input(message)),
        message);
  }

  @Override
  public long append(long register, ResidentBytes data, long offset, long length) {
    Agreement.requireRegister(divisor, register);
    CudaResidentBytes bytes = CudaResidentBytes.on(gpu, data);
    Objects.checkFromIndexSize(offset, length, bytes.byteSize());
    return gpu.call(
        what("%d resident bytes", length),
        () ->
            bytes.inside(
                address -> method.append(register, new ResidentSlice(address + offset, length))));
  }

  @Override
  public void append(long register, MemorySegment data, Extents messages, MemorySegment registers) {
    Agreement.requireRegister(divisor, register);
    Extents own = messages.copy();
    Agreement.requireMessages(own, data.byteSize(), registers);
    gpu.call(
        what("%d messages", own.count()),
        () -> {
          method.append(register, gpu.input(data), own, registers);
          return this;
        },
        data,
        registers);
  }

  @Override
  public void append(long register, ResidentBytes data, Extents messages, MemorySegment registers) {
    Agreement.requireRegister(divisor, register);
    CudaResidentBytes bytes = CudaResidentBytes.on(gpu, data);
    Extents own = messages.copy();
    Agreement.requireMessages(own, bytes.byteSize(), registers);
    gpu.call(
        what("%d resident messages", own.count()),
        () ->
            bytes.inside(address -> {
              ByteSource source = new ResidentSlice(address, bytes.byteSize());
              method.append(register, source, own, registers);
              return this;
            }),
        registers);
  }

  private Supplier<String> what(String what, long count) {
    return () -> "divide %s by %s with %s".formatted(what.formatted(count), divisor, name);
  }
}
