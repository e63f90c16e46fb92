package io.fieldstone.cpu;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.Agreement;
import io.fieldstone.engine.Division;
import io.fieldstone.engine.Divisor;
import io.fieldstone.engine.Extents;
import io.fieldstone.engine.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/** Division by one kernel. */
final class CpuDivision implements Division {

  /**
   * Of heap memory that is not an array of bytes, or hides that it is, so much is copied at once.
   */
  private static final int COPIED_BYTES = 1 << 16;

  private final CpuEngine engine;
  private final Divisor divisor;
  private final String method;
  private final RemainderKernel kernel;

  CpuDivision(CpuEngine engine, Divisor divisor, String method, RemainderKernel kernel) {
    this.engine = engine;
    this.divisor = divisor;
    this.method = method;
    this.kernel = kernel;
  }

  @Override
  public Divisor divisor() {
    return divisor;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public long append(long register, MemorySegment message) {
    Agreement.requireRegister(divisor, register);
    NativeRows.requireUsable(message);
    return append(register, message, 0, message.byteSize());
  }

  @Override
  public long append(long register, ResidentBytes data, long offset, long length) {
    MemorySegment memory = engine.resident(data);
    Objects.checkFromIndexSize(offset, length, memory.byteSize());
    return append(register, memory.asSlice(offset, length));
  }

  @Override
  public void append(long register, MemorySegment data, Extents messages, MemorySegment registers) {
    Agreement.requireRegister(divisor, register);
    Agreement.requireMessages(messages, data.byteSize(), registers);
    NativeRows.requireUsable(data);
    for (long i = 0; i < messages.count(); i++) {
      long remainder = append(register, data, messages.offset(i), messages.length(i));
      registers.set(JAVA_LONG_UNALIGNED, i * Long.BYTES, remainder);
    }
  }

  @Override
  public void append(long register, ResidentBytes data, Extents messages, MemorySegment registers) {
    append(register, engine.resident(data), messages, registers);
  }

  private long append(long register, MemorySegment data, long offset, long length) {
    if (data.isNative()) {
      try {
        return kernel.append(register, data.address() + offset, length);
      } finally {
        Reference.reachabilityFence(data);
      }
    }
    if (data.heapBase().orElse(null) instanceof byte[] array) {
      return kernel.append(register, array, Math.toIntExact(data.address() + offset), (int) length);
    }
    return appendCopies(register, data, offset, length);
  }

  private long appendCopies(long register, MemorySegment data, long offset, long length) {
    byte[] copy = new byte[(int) Math.min(COPIED_BYTES, length)];
    long remainder = register;
    for (long done = 0; done < length; done += copy.length) {
      int bytes = (int) Math.min(copy.length, length - done);
      MemorySegment.copy(data, JAVA_BYTE, offset + done, copy, 0, bytes);
      remainder = kernel.append(remainder, copy, 0, bytes);
    }
    return remainder;
  }
}
