package io.fieldstone.cuda.sorting.delta;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/**
 * Decodes a row at a time and writes it with non-temporal stores. This is as fast as {@link
 * NonTemporalCopy} alone, and a quarter faster than {@link VectorDeltaKernel} and a copy. Machine
 * code, for AVX-512 with VBMI2. The target must be aligned to a cache line. Other threads see the
 * keys only after a {@link NonTemporalCopy#fence}.
 */
final class Avx512DeltaKernel implements DeltaKernel {

  private static final List<String> FLAGS = List.of("avx", "bmi2", "avx512f", "avx512_vbmi2");

  /**
   * {@code void decode(void* keys, const void* rows, long width, long direction, long floating,
   * long sign)} for keys of 32 bits. Each difference is shifted out of two successive rows, by the
   * bit offset of the row's differences modulo the word size.
   */
  private static final String INTS_CODE =
      "62f1fe486f06" // vmovdqu64 (%rsi), %zmm0
          + "b8ffffffff" // mov $0xffffffff, %eax
          + "c4e268f5c0" // bzhi %edx, %eax, %eax
          + "62f27d487cc8" // vpbroadcastd %eax, %zmm1
          + "62f27d487cd1" // vpbroadcastd %ecx, %zmm2
          + "62d27d487cd8" // vpbroadcastd %r8d, %zmm3
          + "62d27d487ce1" // vpbroadcastd %r9d, %zmm4
          + "c5d1efed" // vpxor %xmm5, %xmm5, %xmm5
          + "62f27d487cf2" // vpbroadcastd %edx, %zmm6
          + "4531d2" // xor %r10d, %r10d
          + "b940000000" // mov $0x40, %ecx
          + "4489d0" // row: mov %r10d, %eax
          + "c1e805" // shr $0x5, %eax
          + "c1e006" // shl $0x6, %eax
          + "62f1fe486f7c0601" // vmovdqu64 0x40(%rsi, %rax), %zmm7
          + "6271fe486f440602" // vmovdqu64 0x80(%rsi, %rax), %zmm8
          + "62f23d4873fd" // vpshrdvd %zmm5, %zmm8, %zmm7
          + "62f14548dbf9" // vpandd %zmm1, %zmm7, %zmm7
          + "62f17d48fec7" // vpaddd %zmm7, %zmm0, %zmm0
          + "62f17d48effa" // vpxord %zmm2, %zmm0, %zmm7
          + "62f13d4872e71f" // vpsrad $0x1f, %zmm7, %zmm8
          + "6273654825c4ae" // vpternlogd $0xae, %zmm4, %zmm3, %zmm8
          + "62d14548eff8" // vpxord %zmm8, %zmm7, %zmm7
          + "62f17d48e73f" // vmovntdq %zmm7, (%rdi)
          + "62f15548feee" // vpaddd %zmm6, %zmm5, %zmm5
          + "4101d2" // add %edx, %r10d
          + "4883c740" // add $0x40, %rdi
          + "ffc9" // dec %ecx
          + "75a4" // jne row
          + "c5f877" // vzeroupper
          + "c3"; // ret

  /** The same function for keys of 64 bits. */
  private static final String LONGS_CODE =
      "62f1fe486f06" // vmovdqu64 (%rsi), %zmm0
          + "48c7c0ffffffff" // mov $0xffffffffffffffff, %rax
          + "c4e2e8f5c0" // bzhi %rdx, %rax, %rax
          + "62f2fd487cc8" // vpbroadcastq %rax, %zmm1
          + "62f2fd487cd1" // vpbroadcastq %rcx, %zmm2
          + "62d2fd487cd8" // vpbroadcastq %r8, %zmm3
          + "62d2fd487ce1" // vpbroadcastq %r9, %zmm4
          + "c5d1efed" // vpxor %xmm5, %xmm5, %xmm5
          + "62f2fd487cf2" // vpbroadcastq %rdx, %zmm6
          + "4531d2" // xor %r10d, %r10d
          + "b940000000" // mov $0x40, %ecx
          + "4489d0" // row: mov %r10d, %eax
          + "c1e806" // shr $0x6, %eax
          + "c1e006" // shl $0x6, %eax
          + "62f1fe486f7c0601" // vmovdqu64 0x40(%rsi, %rax), %zmm7
          + "6271fe486f440602" // vmovdqu64 0x80(%rsi, %rax), %zmm8
          + "62f2bd4873fd" // vpshrdvq %zmm5, %zmm8, %zmm7
          + "62f1c548dbf9" // vpandq %zmm1, %zmm7, %zmm7
          + "62f1fd48d4c7" // vpaddq %zmm7, %zmm0, %zmm0
          + "62f1fd48effa" // vpxorq %zmm2, %zmm0, %zmm7
          + "62f1bd4872e73f" // vpsraq $0x3f, %zmm7, %zmm8
          + "6273e54825c4ae" // vpternlogq $0xae, %zmm4, %zmm3, %zmm8
          + "62d1c548eff8" // vpxorq %zmm8, %zmm7, %zmm7
          + "62f17d48e73f" // vmovntdq %zmm7, (%rdi)
          + "62f1d548d4ee" // vpaddq %zmm6, %zmm5, %zmm5
          + "4101d2" // add %edx, %r10d
          + "4883c740" // add $0x40, %rdi
          + "ffc9" // dec %ecx
          + "75a4" // jne row
          + "c5f877" // vzeroupper
          + "c3"; // ret

  private static final MethodHandle DECODE =
      NativeCode.caller(
          FunctionDescriptor.ofVoid(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  private static final Optional<Avx512DeltaKernel> INSTANCE = make();

  private final MemorySegment intsCode;
  private final MemorySegment longsCode;

  private Avx512DeltaKernel(MemorySegment intsCode, MemorySegment longsCode) {
    this.intsCode = intsCode;
    this.longsCode = longsCode;
  }

  /** Returns the kernel, or empty if the CPU or the operating system does not support it. */
  static Optional<Avx512DeltaKernel> find() {
    return INSTANCE;
  }

  private static Optional<Avx512DeltaKernel> make() {
    return NativeCode.load(INTS_CODE, FLAGS)
        .flatMap(ints ->
            NativeCode.load(LONGS_CODE, FLAGS).map(longs -> new Avx512DeltaKernel(ints, longs)));
  }

  @Override
  public void decodeInts(long rows, int width, KeyCode code, long keys) {
    decode(intsCode, rows, width, code, keys);
  }

  @Override
  public void decodeLongs(long rows, int width, KeyCode code, long keys) {
    decode(longsCode, rows, width, code, keys);
  }

  private static void decode(
      MemorySegment function, long rows, int width, KeyCode code, long keys) {
    try {
      DECODE.invokeExact(
          function, keys, rows, (long) width, code.direction(), code.floating(), code.sign());
    } catch (Throwable thrown) {
      throw NativeCode.unexpected(thrown);
    }
  }
}
