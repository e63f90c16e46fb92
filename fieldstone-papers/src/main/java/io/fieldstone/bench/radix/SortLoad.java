package io.fieldstone.bench.radix;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sorts records in an array, in place, by many methods. Each candidate counts records, has them
 * restored before every run, and sorts them correctly before it is measured.
 */
final class SortLoad {

  static final String SORT = "Arrays.sort";
  static final String PARALLEL_SORT = "Arrays.parallelSort";

  /** A class of fastutil, which distributions leave out. */
  private static final String FASTUTIL = "it.unimi.dsi.fastutil.ints.IntArrays";

  private static final String RADIX_SORT = "fastutil radixSort";
  private static final String PARALLEL_RADIX_SORT = "fastutil parallelRadixSort";

  private final RecordFormat format;
  private final Records records;
  private final SortedCheck check;

  /**
   * Sorts records in an array.
   *
   * @param source unsorted records
   * @param sorted the array in which they are sorted, of the same length
   * @param peers other sorts by name
   */
  private record Records(MemorySegment source, MemorySegment sorted, Map<String, Runnable> peers) {

    static Records ofInts(int count) {
      int[] keys = new int[count];
      return new Records(
          MemorySegment.ofArray(new int[count]),
          MemorySegment.ofArray(keys),
          Map.of(
              SORT, () -> Arrays.sort(keys),
              PARALLEL_SORT, () -> Arrays.parallelSort(keys),
              RADIX_SORT, () -> IntArrays.radixSort(keys),
              PARALLEL_RADIX_SORT, () -> IntArrays.parallelRadixSort(keys)));
    }

    static Records ofLongs(int count) {
      long[] keys = new long[count];
      return new Records(
          MemorySegment.ofArray(new long[count]),
          MemorySegment.ofArray(keys),
          Map.of(
              SORT, () -> Arrays.sort(keys),
              PARALLEL_SORT, () -> Arrays.parallelSort(keys),
              RADIX_SORT, () -> LongArrays.radixSort(keys),
              PARALLEL_RADIX_SORT, () -> LongArrays.parallelRadixSort(keys)));
    }
  }

  /**
   * Fills an array with random records.
   *
   * @param format of records of 4 or 8 bytes
   */
  SortLoad(RecordFormat format, KeyDistribution distribution, int count) {
    this.format = format;
    this.records = format.bytes() == Integer.BYTES ? Records.ofInts(count) : Records.ofLongs(count);
    distribution.fill(format, records.source());
    this.check = new SortedCheck(format, records.source());
  }

  /** Sorts by a method of an engine, or by its choice. */
  Candidate by(String name, Engine engine, String method) {
    Sorting sorting = sorting(engine, format, method);
    MemorySegment sorted = records.sorted();
    return candidate(name, () -> sorting.sort(sorted));
  }

  /** Sorts by another library; only keys without payloads have such peers. */
  Candidate peer(String name) {
    Runnable sort = records.peers().get(name);
    if (sort == null) {
      throw new IllegalArgumentException("no peer '" + name + "'");
    }
    return candidate(name, sort);
  }

  /** Returns the names of the peers on the class path. */
  static List<String> peers() {
    try {
      Class.forName(FASTUTIL, false, SortLoad.class.getClassLoader());
      return List.of(SORT, PARALLEL_SORT, RADIX_SORT, PARALLEL_RADIX_SORT);
    } catch (ClassNotFoundException e) {
      return List.of(SORT, PARALLEL_SORT);
    }
  }

  /** Tests whether other libraries can sort these records, which have no payloads. */
  boolean hasPeers() {
    return format.payloadBytes() == 0;
  }

  private Candidate candidate(String name, Runnable sort) {
    Runnable prepare = () -> records.sorted().copyFrom(records.source());
    prepare.run();
    sort.run();
    check.require(name, records.sorted());
    return new Candidate(
        name, (double) records.source().byteSize() / format.bytes(), Optional.of(prepare), sort);
  }

  static Sorting sorting(Engine engine, RecordFormat format, String method) {
    return method.equals(Methods.AUTO)
        ? engine.sorts().sorting(format)
        : engine.sorts().sorting(format, method);
  }

  /** Returns a name of the format, such as {@code i32}, or {@code i32+4} with a payload. */
  static String nameOf(RecordFormat format) {
    KeyType key = format.key();
    return format.payloadBytes() == 0 ? key.toString() : key + "+" + format.payloadBytes();
  }
}
