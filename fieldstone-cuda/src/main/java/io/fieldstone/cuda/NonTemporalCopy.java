package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.HexFormat;
import java.util.Optional;
import jdk.incubator.vector.VectorShape;

/**
 * Copies memory past the caches: lines that are written whole need not be read first, which leaves
 * memory to the bus (beside a busy bus, the cores of an H200's host write 146 GB/s so, and 48
 * otherwise). The JVM has such stores in copies of 2.5 MiB and more only, so this is machine code
 * of its own, for Linux on x86-64 with AVX. Thread-safe.
 */
final class NonTemporalCopy {

  /** Bytes that the code copies at a time. */
  private static final int STEP = 128;

  /** Bytes of a line of the caches. */
  private static final int LINE = 64;

  /**
   * {@code void copy(void* to, const void* from, size_t bytes)}: to the begin of a line, steps, at
   * least one.
   */
  private static final String CODE =
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
          + "0faef8" // sfence
          + "c5f877" // vzeroupper
          + "c3"; // ret

  private static final int PROT_READ = 1;
  private static final int PROT_WRITE = 2;
  private static final int PROT_EXEC = 4;
  private static final int MAP_PRIVATE = 2;
  private static final int MAP_ANONYMOUS = 0x20;
  private static final long MAP_FAILED = -1;

  private static final FunctionDescriptor MMAP =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final FunctionDescriptor MPROTECT =
      FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle COPY =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG));

  private static final Optional<NonTemporalCopy> FOUND = make();

  private final MemorySegment code;

  private NonTemporalCopy(MemorySegment code) {
    this.code = code;
  }

  /** Nothing where processor or system have no such thing, or do not let it be made. */
  static Optional<NonTemporalCopy> find() {
    return FOUND;
  }

  /**
   * Copies, by the caches what is not a whole step.
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
        COPY.invokeExact(code, to + head, from + head, body);
      } catch (Throwable thrown) {
        throw impossible(thrown);
      }
    }
    copyByCaches(from + tail, to + tail, bytes - tail);
  }

  private static void copyByCaches(long from, long to, long bytes) {
    MemorySegment source = MemorySegment.ofAddress(from).reinterpret(bytes);
    MemorySegment.ofAddress(to).reinterpret(bytes).copyFrom(source);
  }

  private static Optional<NonTemporalCopy> make() {
    boolean isKnown =
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64");
    boolean hasAvx =
        VectorShape.preferredShape().vectorBitSize() >= VectorShape.S_256_BIT.vectorBitSize();
    return isKnown && hasAvx ? loaded().map(NonTemporalCopy::new) : Optional.empty();
  }

  /** The code in a page that can be executed, and not written to any more. */
  private static Optional<MemorySegment> loaded() {
    byte[] bytes = HexFormat.of().parseHex(CODE);
    try {
      long page =
          (long)
              system("mmap", MMAP)
                  .invokeExact(
                      0L,
                      (long) bytes.length,
                      PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS,
                      -1,
                      0L);
      if (page == MAP_FAILED) {
        return Optional.empty();
      }
      MemorySegment code = MemorySegment.ofAddress(page).reinterpret(bytes.length);
      code.copyFrom(MemorySegment.ofArray(bytes));
      int failed =
          (int)
              system("mprotect", MPROTECT)
                  .invokeExact(page, (long) bytes.length, PROT_READ | PROT_EXEC);
      return failed == 0 ? Optional.of(code) : Optional.empty();
    } catch (Throwable thrown) {
      throw impossible(thrown);
    }
  }

  private static MethodHandle system(String name, FunctionDescriptor shape) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape);
  }

  /** C code throws nothing, and arguments of primitive types cannot be wrong. */
  private static AssertionError impossible(Throwable thrown) {
    return new AssertionError(thrown);
  }
}
