package io.fieldstone.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.RecordLayout.ByteString;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankMergeTest {

  private static final int RECORD_BYTES = 24;
  private static final RecordLayout LAYOUT =
      new RecordLayout(RECORD_BYTES, 4, new ByteString(12), Direction.ASCENDING);
  private static final Comparator<byte[]> BY_KEY =
      (a, b) -> Arrays.compareUnsigned(a, 4, 16, b, 4, 16);

  @TempDir Path directory;

  private static byte[] joined(byte[][] records) {
    ByteBuffer all = ByteBuffer.allocate(records.length * RECORD_BYTES);
    Arrays.stream(records).forEach(all::put);
    return all.array();
  }

  /**
   * The first four bytes of a record are its number, so the result shows the order of equal keys.
   */
  private static byte[][] records(int count, int values) {
    SplittableRandom random = new SplittableRandom(count + values);
    byte[][] records = new byte[count][];
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[12];
      Arrays.fill(key, (byte) random.nextInt(values));
      records[i] = ByteBuffer.allocate(RECORD_BYTES).putInt(i).put(key).array();
    }
    return records;
  }

  /** Writes sorted runs. */
  private OpenFile scratch(byte[][] records, int runRecords) throws IOException {
    byte[][] runs = records.clone();
    for (int from = 0; from < runs.length; from += runRecords) {
      Arrays.sort(runs, from, Math.min(runs.length, from + runRecords), BY_KEY);
    }
    OpenFile scratch = OpenFile.scratch(directory);
    scratch.write(MemorySegment.ofArray(joined(runs)), 0);
    return scratch;
  }

  private Path merge(byte[][] records, int runRecords, int threads, SortListener listener)
      throws Exception {
    long buffers = (long) threads * (1 << 14) + RECORD_BYTES;
    assertThat(RankPlan.mergeRanges(buffers, RECORD_BYTES, threads)).isEqualTo(threads);
    Path result = Files.write(directory.resolve("result"), new byte[0]);
    try (OpenFile scratch = scratch(records, runRecords);
        RecordFile file = RecordFile.of(scratch);
        OpenFile output = OpenFile.update(result);
        RecordFile merged = RecordFile.of(output)) {
      List<SortedRun> runs = new ArrayList<>();
      for (int first = 0; first < records.length; first += runRecords) {
        runs.add(new SortedRun(file, first, Math.min(runRecords, records.length - first)));
      }
      new RankMerge(LAYOUT, runs, buffers, merged, threads, listener).run();
    }
    return result;
  }

  @ParameterizedTest
  @CsvSource({
    // records, of a run, threads, values of a key
    "5000, 700, 1, 256",
    "5000, 700, 4, 256",
    "5000, 5000, 3, 256",
    "5000, 4999, 3, 2",
    "5000, 10, 7, 3",
    "5000, 700, 4, 1",
    "3, 1, 8, 256",
  })
  void rangesAreMergedInOrder(int count, int runRecords, int threads, int values) throws Exception {
    byte[][] records = records(count, values);
    byte[][] expected = records.clone();
    Arrays.sort(expected, BY_KEY);
    AtomicLong last = new AtomicLong();

    Path result =
        merge(
            records,
            runRecords,
            threads,
            (pass, done, total) -> {
              assertThat(pass).isEqualTo(SortListener.Pass.MERGE);
              assertThat(done).isGreaterThan(last.getAndSet(done)).isLessThanOrEqualTo(total);
            });

    assertThat(result).hasBinaryContent(joined(expected));
    assertThat(last).hasValue((long) count * RECORD_BYTES);
  }

  /** Sorted input has the least keys in its first run, and the greatest in its last. */
  @Test
  void runsThatFollowEachOtherAreMerged() throws Exception {
    byte[][] records = records(4000, 256);
    Arrays.sort(records, BY_KEY);

    assertThat(merge(records, 500, 3, SortListener.NONE)).hasBinaryContent(joined(records));
  }

  @Test
  void anInterruptionEndsAllThreads() {
    Thread caller = Thread.currentThread();

    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> merge(records(5000, 256), 700, 2, (_, _, _) -> caller.interrupt()));
    assertThat(Thread.interrupted()).isFalse();
  }

  /** A range needs buffers of 16 KiB, or of a record that is larger. */
  @Test
  void littleMemoryHasFewerRanges() {
    assertThat(RankPlan.mergeRanges(50_000, 8, 16)).isEqualTo(3);
    assertThat(RankPlan.mergeRanges(50_000, 20_000, 16)).isEqualTo(2);
    assertThat(RankPlan.mergeRanges(50_000, 50_000, 16)).isEqualTo(1);
    assertThat(RankPlan.mergeRanges(4096, 8, 16)).isEqualTo(1);
  }
}
