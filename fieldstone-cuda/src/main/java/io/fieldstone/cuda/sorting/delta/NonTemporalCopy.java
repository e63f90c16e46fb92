package io.fieldstone.cuda.sorting.delta;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/**
 * Copies memory with non-temporal stores. Cache lines that are written as a whole need not be read
 * first, which leaves memory bandwidth to the bus: the host of an H200 writes 146 GB/s beside a
 * busy bus, and 48 GB/s with ordinary stores. The JVM emits such stores only in copies from 2.5 MiB
 * on, so this is machine code, for AVX. Thread-safe.
 */
final class NonTemporalCopy {

  private static final List<String> FLAGS = List.of("avx");

  /** Bytes per iteration. */
  private static final int STEP_BYTES = 128;

  /** Bytes of a cache line. */
  private static final int LINE_BYTES = 64;

  /**
   * {@code void copy(void* to, const void* from, size_t bytes)}: {@code to} is aligned to a cache
   * line, {@code bytes} is a positive multiple of {@link #STEP_BYTES}.
   */
  private static final String COPY_CODE =
      "c5fe6f06" // step: vmovdqu (%rsi), %ymm0
          + "c5fe6f4e20" // vmovdqu 32(%rsi), %ymm1
          + "c5fe6f5640" // vmovdqu 64(%rsi), %ymm2
          + "c5fe6f5e60" // vmovdqu 96(%rsi), %ymm3
          + "c5fde707" // vmovntdq %ymm0, (%rdi)
          + "c5fde74f20" // vmovntdq %ymm1, 32(%rdi)
          + "c5fde75740" // vmovntdq %ymm2, 64(%rdi)
          + "c5fde75f60" // vmovntdq %ymm3, 96(%rdi)
          + "4883ee80" // sub $-128, %rsi
          + "4883ef80" // sub $-128, %rdi
          + "4883c280" // add $-128, %rdx
          + "75cc" // jne step
          + "c5f877" // vzeroupper
          + "c3"; // ret

  /** {@code void fence(void)}. */
  private static final String FENCE_CODE =
      "0faef8" // sfence
          + "c3"; // ret

  private static final MethodHandle COPY =
      NativeCode.caller(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FENCE = NativeCode.caller(FunctionDescriptor.ofVoid());

  private static final Optional<NonTemporalCopy> INSTANCE = make();

  private final MemorySegment copyCode;
  private final MemorySegment fenceCode;

  private NonTemporalCopy(MemorySegment copyCode, MemorySegment fenceCode) {
    this.copyCode = copyCode;
    this.fenceCode = fenceCode;
  }

  /** Returns the copier, or empty if the CPU or the operating system does not support it. */
  static Optional<NonTemporalCopy> find() {
    return INSTANCE;
  }

  private static Optional<NonTemporalCopy> make() {
    return NativeCode.load(COPY_CODE, FLAGS)
        .flatMap(copy ->
            NativeCode.load(FENCE_CODE, FLAGS).map(fence -> new NonTemporalCopy(copy, fence)));
  }

  /**
   * Copies memory, with ordinary stores at the ends. Other threads see the copy only after a {@link
   * #fence}.
   *
   * @param from a readable address
   * @param to a writable address
   */
  void copy(long from, long to, long bytes) {
    long head = Math.min(bytes, -to & (LINE_BYTES - 1));
    long body = (bytes - head) / STEP_BYTES * STEP_BYTES;
    long tail = head + body;
    copyCached(from, to, head);
    if (body > 0) {
      try {
        COPY.invokeExact(copyCode, to + head, from + head, body);
      } catch (Throwable thrown) {
        throw NativeCode.unexpected(thrown);
      }
    }
    copyCached(from + tail, to + tail, bytes - tail);
  }

  private static void copyCached(long from, long to, long bytes) {
    MemorySegment source = MemorySegment.ofAddress(from).reinterpret(bytes);
    MemorySegment.ofAddress(to).reinterpret(bytes).copyFrom(source);
  }

  /** Orders the non-temporal stores of this thread before its later stores. */
  void fence() {
    try {
      FENCE.invokeExact(fenceCode);
    } catch (Throwable thrown) {
      throw NativeCode.unexpected(thrown);
    }
  }
}
