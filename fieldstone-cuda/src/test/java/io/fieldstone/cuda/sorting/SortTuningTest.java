package io.fieldstone.cuda.sorting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the tunings of sorts, by compute capability times ten. */
class SortTuningTest {

  private static final Pattern CONSTANT =
      Pattern.compile("constexpr int (\\w+(?:<\\d, \\d>)?) = (\\d+);");

  /** Returns the constants of sort.cu whose names begin so, in their order. */
  private static List<Integer> constants(String prefix) throws IOException {
    List<Integer> values = new ArrayList<>();
    Matcher found = CONSTANT.matcher(Files.readString(Path.of("src/main/cuda/sort.cu")));
    while (found.find()) {
      if (found.group(1).startsWith(prefix)) {
        values.add(Integer.valueOf(found.group(2)));
      }
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {75, 80, 86, 89, 90, 100, 103, 120, 121})
  void launchesAreThoseThatTheKernelsAreCompiledFor(int capability) throws IOException {
    SortTuning.Launches launches = SortTuning.of(capability).launches();

    assertThat(constants("kPassThreads")).containsExactly(launches.passThreads());
    assertThat(constants("kPassItems<1")).isEqualTo(launches.intKeyItems());
    assertThat(constants("kPassItems<2")).isEqualTo(launches.longKeyItems());
    assertThat(constants("kCountThreads")).containsExactly(launches.countThreads());
    assertThat(constants("kCountAhead")).containsExactly(launches.countItems());
    assertThat(constants("kPackThreads")).containsExactly(launches.packThreads());
  }

  @ParameterizedTest
  @ValueSource(ints = {75, 90, 120})
  void sizesAreWithinTheirBounds(int capability) {
    SortTuning tuning = SortTuning.of(capability);
    SortTuning.Pieces pieces = tuning.pieces();
    SortTuning.Buckets buckets = tuning.buckets();

    assertThat(pieces.bytes(1)).isEqualTo(pieces.minBytes());
    assertThat(pieces.bytes(1L << 30)).isEqualTo(pieces.maxBytes());
    for (long bytes = 1L << 32; bytes <= 1L << 40; bytes += bytes / 3) {
      assertThat(pieces.bytes(bytes) % pieces.alignment()).isZero();
      assertThat(Math.ceilDiv(bytes, pieces.bytes(bytes)))
          .isLessThanOrEqualTo(pieces.maxCount())
          .isGreaterThanOrEqualTo(pieces.minPartitioned());
    }
    assertThat(buckets.sizes(1L << 30, 4).target()).isEqualTo(buckets.bytes() / 4);
    assertThat(buckets.sizes(1, 4).target()).isEqualTo(buckets.minBytes() / 4);
    assertThat(buckets.sizes(1, Integer.MAX_VALUE)).isEqualTo(new BucketSizes(1, 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {75, 90, 120})
  void aTileHasTheItemsOfItsThreads(int capability) {
    SortTuning.Launches launches = SortTuning.of(capability).launches();
    RecordFormat ints = RecordFormat.of(KeyType.I32);
    RecordFormat longs = RecordFormat.of(KeyType.U64).withPayload(8);

    assertThat(launches.tileItems(SortLayout.ofRecords(ints, 1)))
        .isEqualTo(launches.passThreads() * launches.intKeyItems().getFirst());
    assertThat(launches.tileItems(SortLayout.ofRecords(longs, 1)))
        .isEqualTo(launches.passThreads() * launches.longKeyItems().getLast());
  }
}
