package io.fieldstone.cuda.sorting.delta;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/**
 * Copies memory past the caches: lines that are written whole need not be read first, which leaves
 * memory to the bus (beside a busy bus, the cores of an H200's host write 146 GB/s so, and 48
 * otherwise). The JVM has such stores in copies of 2.5 MiB and more only, so this is machine code,
 * for AVX. Thread-safe.
 */
final class NonTemporalCopy {

  private static final List<String> FLAGS = List.of("avx");

  /** Bytes that the code copies at a time. */
  private static final int STEP = 128;

  /** Bytes of a line of the caches. */
  private static final int LINE = 64;

  /**
   * {@code void copy(void* to, const void* from, size_t bytes)}: to the begin of a line, steps, at
   * least one.
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

  private static final Optional<NonTemporalCopy> FOUND = make();

  private final MemorySegment copyCode;
  private final MemorySegment fenceCode;

  private NonTemporalCopy(MemorySegment copyCode, MemorySegment fenceCode) {
    this.copyCode = copyCode;
    this.fenceCode = fenceCode;
  }

  /** Nothing where processor or system have no such thing, or do not let it be made. */
  static Optional<NonTemporalCopy> find() {
    return FOUND;
  }

  private static Optional<NonTemporalCopy> make() {
    return NativeCode.load(COPY_CODE, FLAGS)
        .flatMap(copy ->
            NativeCode.load(FENCE_CODE, FLAGS).map(fence -> new NonTemporalCopy(copy, fence)));
  }

  /**
   * Copies, by the caches what is not a whole step. Other threads may see it late, until a {@link
   * #fence}.
   *
   * @param from address that can be read
   * @param to address that can be written
   */
  void copy(long from, long to, long bytes) {
    long head = Math.min(bytes, -to & (LINE - 1));
    long body = (bytes - head) / STEP * STEP;
    long tail = head + body;
    copyByCaches(from, to, head);
    if (body > 0) {
      try {
        COPY.invokeExact(copyCode, to + head, from + head, body);
      } catch (Throwable thrown) {
        throw NativeCode.impossible(thrown);
      }
    }
    copyByCaches(from + tail, to + tail, bytes - tail);
  }

  private static void copyByCaches(long from, long to, long bytes) {
    MemorySegment source = MemorySegment.ofAddress(from).reinterpret(bytes);
    MemorySegment.ofAddress(to).reinterpret(bytes).copyFrom(source);
  }

  /** What this thread has written past the caches is seen before what it writes from now on. */
  void fence() {
    try {
      FENCE.invokeExact(fenceCode);
    } catch (Throwable thrown) {
      throw NativeCode.impossible(thrown);
    }
  }
}
