package io.fieldstone.cpu.sorting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.memory.CpuInfo;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JdkArraySortTest {

  @ParameterizedTest
  @CsvSource({
    "Intel, GenuineIntel, 6, fpu avx2 avx512dq, 16384, 16384, 16384, 16384",
    "AMD Zen 4, AuthenticAMD, 25, fpu avx2 avx512dq, 2048, 512, 2048, 512",
    "AMD Zen 5, AuthenticAMD, 26, fpu avx2 avx512dq, 4096, 4096, 4096, 4096",
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

  @Test
  void unsignedKeysAreSortedToo() {
    Random random = new Random(1);
    int[] ints = random.ints(300).toArray();
    long[] longs = random.longs(300).toArray();
    assertThat(sort(KeyType.U32, MemorySegment.ofArray(ints))).isTrue();
    assertThat(sort(KeyType.U64, MemorySegment.ofArray(longs))).isTrue();
    for (int i = 1; i < ints.length; i++) {
      assertThat(Integer.compareUnsigned(ints[i - 1], ints[i])).isNotPositive();
      assertThat(Long.compareUnsigned(longs[i - 1], longs[i])).isNotPositive();
    }
  }

  /** Infinities whose sum is NaN are sorted; NaN anywhere is left to others. */
  @Test
  void infinitiesAreSortedAndNanIsNot() {
    for (int size = 1; size < 14; size++) {
      for (int at = 0; at < size; at++) {
        float[] floats = new float[size];
        double[] doubles = new double[size];
        Arrays.fill(floats, Float.NEGATIVE_INFINITY);
        Arrays.fill(doubles, Double.NEGATIVE_INFINITY);
        floats[at] = Float.POSITIVE_INFINITY;
        doubles[at] = Double.POSITIVE_INFINITY;
        assertThat(sort(KeyType.F32, MemorySegment.ofArray(floats))).isTrue();
        assertThat(sort(KeyType.F64, MemorySegment.ofArray(doubles))).isTrue();
        assertThat(floats[size - 1]).isEqualTo(Float.POSITIVE_INFINITY);
        assertThat(doubles[size - 1]).isEqualTo(Double.POSITIVE_INFINITY);
        floats[at] = Float.NaN;
        doubles[at] = Double.NaN;
        assertThat(sort(KeyType.F32, MemorySegment.ofArray(floats))).isFalse();
        assertThat(sort(KeyType.F64, MemorySegment.ofArray(doubles))).isFalse();
      }
    }
  }

  /** Keys outside the segment stay as they are. */
  @Test
  void onlyTheSegmentIsSorted() {
    int[] keys = {7, -1, 3, 2, -5, 9};
    assertThat(sort(KeyType.U32, MemorySegment.ofArray(keys).asSlice(4, 16))).isTrue();
    assertThat(keys).containsExactly(7, 2, 3, -5, -1, 9);
  }

  private static boolean sort(KeyType type, MemorySegment keys) {
    return JdkArraySort.sort(RecordFormat.of(type), keys);
  }
}
