package io.fieldstone.cpu.sorting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.memory.CpuInfo;
import io.fieldstone.engine.sorting.KeyType;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JdkArraySortTest {

  @ParameterizedTest
  @CsvSource({
    "Intel, GenuineIntel, 6, fpu avx2 avx512dq, 16384, 16384, 16384, 16384",
    "AMD Zen 4, AuthenticAMD, 25, fpu avx2 avx512dq, 2048, 512, 2048, 512",
    "AMD Zen 5, AuthenticAMD, 26, fpu avx2 avx512dq, 16384, 16384, 16384, 16384",
    "AVX2 only, GenuineIntel, 6, fpu avx2, 2048, 512, 2048, 512",
    "not x86, , , asimd, 512, 512, 512, 512",
  })
  void theJdkSortsMoreKeysWhereItHasVectors(
      String name, String vendor, String family, String flags, int i32, int i64, int f32, int f64) {
    CpuInfo processor =
        CpuInfo.of(
            Stream.of("vendor_id : " + vendor, "cpu family : " + family, "flags : " + flags));
    assertThat(JdkArraySort.maxKeys(KeyType.I32, processor)).as(name).isEqualTo(i32);
    assertThat(JdkArraySort.maxKeys(KeyType.I64, processor)).as(name).isEqualTo(i64);
    assertThat(JdkArraySort.maxKeys(KeyType.F32, processor)).as(name).isEqualTo(f32);
    assertThat(JdkArraySort.maxKeys(KeyType.F64, processor)).as(name).isEqualTo(f64);
  }
}
