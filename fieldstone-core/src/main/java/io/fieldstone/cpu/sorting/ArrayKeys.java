package io.fieldstone.cpu.sorting;

import io.fieldstone.engine.memory.CpuInfo;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keys in an array of the JVM's, which need no sorting of ours: because they are in order, or in
 * the reverse of it, or because they are so few, or so few different ones, that what the JDK does
 * with vectors and partitions costs less than what surrounds our loops.
 */
abstract sealed class ArrayKeys
    permits IntArrayKeys, LongArrayKeys, FloatArrayKeys, DoubleArrayKeys {

  /** Fewer keys are looked at by one thread: another would have to be woken. */
  private static final int MIN_SHARED = 1 << 18;

  /** Keys that are looked at before one asks whether others are as they are. */
  private static final int FIRST = 1 << 12;

  /** Up to so many keys, the JDK sorts nearly sorted ones faster; all, if it is wide. */
  private static final int MAX_FOR_JDK = 1 << 14;

  /** Family of Zen 4, where the JDK has its own vectors of 512 bits left out. */
  private static final String ZEN_4 = "25";

  private static final boolean IS_JDK_WIDE = isJdkWide(CpuInfo.current());

  static final int SAMPLES = 32;

  /** More of ours are faster than the JDK's one, whatever keys are. */
  private static final int FEW_THREADS = 2;

  /** Of the samples, so many that are not in order are few. */
  private static final int FEW_DESCENTS = 2;

  /**
   * What the JDK is faster at.
   *
   * @param few up to so many keys, whatever they are
   * @param fewDifferent of the samples, so many or fewer different ones mean keys that suit it
   * @param mostOfFew up to so many keys
   * @param fewOfMany the same of more keys, which the JDK sorts by one thread: for {@value
   *     #FEW_THREADS} threads or fewer
   */
  record JdkLimits(int few, int fewDifferent, int mostOfFew, int fewOfMany) {}

  private final JdkLimits limits;
  private final int first;
  private final int count;

  /** Whether the JDK has the same order, so that its sort needs nothing else. */
  private final boolean areJdks;

  ArrayKeys(JdkLimits limits, int first, int count, boolean areJdks) {
    this.limits = limits;
    this.first = first;
    this.count = count;
    this.areJdks = areJdks;
  }

  /** The array that records are, if it is one of keys and the least is to be first. */
  static Optional<ArrayKeys> of(RecordFormat format, MemorySegment records) {
    if (format.payloadBytes() > 0
        || format.direction() == Direction.DESCENDING
        || records.address() % format.bytes() != 0) {
      return Optional.empty();
    }
    int first = (int) (records.address() / format.bytes());
    int count = (int) (records.byteSize() / format.bytes());
    return switch (records.heapBase().orElse(null)) {
      case int[] keys when format.bytes() == Integer.BYTES && !format.key().isFloating() ->
          Optional.of(new IntArrayKeys(keys, first, count, format.key() == KeyType.I32));
      case long[] keys when format.bytes() == Long.BYTES && !format.key().isFloating() ->
          Optional.of(new LongArrayKeys(keys, first, count, format.key() == KeyType.I64));
      case float[] keys when format.key() == KeyType.F32 ->
          Optional.of(new FloatArrayKeys(keys, first, count));
      case double[] keys when format.key() == KeyType.F64 ->
          Optional.of(new DoubleArrayKeys(keys, first, count));
      case null, default -> Optional.empty();
    };
  }

  /** Sorts them, or leaves them as they are. */
  boolean sort(SortResources room) {
    boolean areFew = count <= few();
    if (areFew && areJdks && sortByJdk(first, first + count)) {
      return true;
    }
    if (isInOrder(room, true)) {
      return true;
    }
    if (isInOrder(room, false)) {
      reverse(room);
      return true;
    }
    return (areFew || suitsJdk(room)) && sortByJdk(first, first + count);
  }

  private int few() {
    return IS_JDK_WIDE ? Math.max(limits.few(), MAX_FOR_JDK) : limits.few();
  }

  /** Whether the JDK has AVX-512 sort keys of all kinds (JDK-8309130, JDK-8317976). */
  static boolean isJdkWide(CpuInfo facts) {
    boolean isZen4 =
        facts.get("vendor_id").equals(Optional.of("AuthenticAMD"))
            && facts.get("cpu family").equals(Optional.of(ZEN_4));
    return facts.flags().contains("avx512dq") && !isZen4;
  }

  private boolean suitsJdk(SortResources room) {
    int different = 0;
    int descents = 0;
    int step = count / SAMPLES;
    long[] seen = new long[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      int at = first + i * step;
      long key = key(at);
      seen[different] = key;
      int same = 0;
      while (seen[same] != key) {
        same++;
      }
      different += same == different ? 1 : 0;
      descents += key(at + 1) < key ? 1 : 0;
    }
    boolean isNearlyOrdered = descents <= FEW_DESCENTS || descents >= SAMPLES - FEW_DESCENTS;
    return different <= fewDifferent(room) || (count <= MAX_FOR_JDK && isNearlyOrdered);
  }

  private int fewDifferent(SortResources room) {
    if (count <= limits.mostOfFew()) {
      return limits.fewDifferent();
    }
    return room.threads() <= FEW_THREADS ? limits.fewOfMany() : 0;
  }

  private boolean isInOrder(SortResources room, boolean rising) {
    if (count == 0) {
      return true;
    }
    int last = first + count - 1;
    int seen = Math.min(last, first + FIRST);
    if (orderEnd(first, seen, rising) < seen) {
      return false;
    }
    if (count < MIN_SHARED) {
      return orderEnd(seen, last, rising) == last;
    }
    int pieces = Math.ceilDiv(last - seen, MIN_SHARED);
    AtomicBoolean isInOrder = new AtomicBoolean(true);
    room.forEach(
        pieces,
        piece -> {
          int from = seen + piece * MIN_SHARED;
          int to = (int) Math.min(last, (long) from + MIN_SHARED);
          if (isInOrder.get() && orderEnd(from, to, rising) < to) {
            isInOrder.set(false);
          }
        });
    return isInOrder.get();
  }

  private void reverse(SortResources room) {
    int half = count / 2;
    int last = first + count - 1;
    int pieces = Math.ceilDiv(half, MIN_SHARED);
    room.forEach(
        pieces,
        piece -> {
          int from = piece * MIN_SHARED;
          int exchanged = Math.min(half - from, MIN_SHARED);
          exchange(first + from, last - from, exchanged);
        });
  }

  /** A key as a signed number in the same order. */
  abstract long key(int at);

  /** The JDK's own sort of a range, whatever sign keys have; or nothing, if it is not as ours. */
  abstract boolean sortByJdk(int from, int to);

  /** The last of the keys from one to another up to which all are in order, or in reverse. */
  abstract int orderEnd(int from, int to, boolean rising);

  /** Exchanges keys from one on, upwards, with those from another on, downwards. */
  abstract void exchange(int lower, int upper, int keys);
}
