package io.fieldstone.cpu.sorting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.memory.CpuInfo;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrayKeysTest {

  @ParameterizedTest
  @CsvSource({
    "GenuineIntel, 6, avx2 avx512f avx512dq, true",
    "GenuineIntel, 6, avx2, false",
    "AuthenticAMD, 25, avx2 avx512f avx512dq, false",
    "AuthenticAMD, 26, avx2 avx512f avx512dq, true"
  })
  void theJdkIsWideWhereItHasVectorsOf512BitsForAllKeys(
      String vendor, String family, String flags, boolean expected) {
    CpuInfo facts =
        CpuInfo.of(
            Stream.of("vendor_id : " + vendor, "cpu family : " + family, "flags : " + flags));
    assertThat(ArrayKeys.isJdkWide(facts)).isEqualTo(expected);
  }
}
