package io.fieldstone.engine.sorting;

import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Sorts records of one {@link RecordFormat}. Sorting is stable: records of equal keys keep their
 * order. No bit of a key changes, including NaNs.
 *
 * {@snippet :
 * Sorting sorting = engine.sorts().sorting(RecordFormat.of(KeyType.U32).withPayload(12));
 * sorting.sort(records); // 16 bytes each, in place
 * }
 *
 * <p>Thread-safe; needs no close. Memory may be of any kind and alignment. During a call, an engine
 * uses additional memory ({@link #minWorkingBytes}), and may keep it for later calls until it is
 * closed.
 *
 * <p>If another thread or process changes records during a call, they are sorted incorrectly, or
 * {@link java.util.ConcurrentModificationException} is thrown. No other memory is written.
 *
 * <p>Every method checks its arguments before it writes. It throws {@link IllegalArgumentException}
 * if memory is not a whole number of records, a destination is read-only, memory overlaps, or bytes
 * are resident on another engine.
 */
public interface Sorting {

  /** Returns the format of the records. */
  RecordFormat format();

  /**
   * Returns the name of the method, one of {@link Sorts#methods}; {@code auto} if the engine
   * chooses.
   */
  String method();

  /**
   * Returns the minimum host memory that sorting in place needs in addition to the records. With
   * more threads a call uses more.
   *
   * @param records the number of records, ≥ 0
   * @return bytes, native or on the heap
   */
  default long minWorkingBytes(long records) {
    return records * 2 * format().bytes();
  }

  /**
   * Returns a sorting that limits its host memory, if need be by using fewer threads. The limit
   * holds if it is at least {@link #minWorkingBytes}, and includes memory that the engine keeps
   * between calls.
   *
   * @param workingBytes the limit of each call
   */
  default Sorting withMemoryLimit(long workingBytes) {
    return this;
  }

  /**
   * Returns a sorting that reports which method each call takes, if the engine chooses. By default,
   * an engine reports none.
   *
   * @param taken receives a name such as {@code msd-lsd} before a call returns, on its thread
   */
  default Sorting withMethodListener(Consumer<String> taken) {
    return this;
  }

  /** Sorts records in place. */
  void sort(MemorySegment records);

  /**
   * Sorts records into other memory.
   *
   * @param records not changed
   * @param sorted receives the sorted records, of the same size
   */
  void sort(MemorySegment records, MemorySegment sorted);

  /**
   * Returns the minimum host memory for {@link #sort(long, RecordInput, RecordOutput)}.
   *
   * @param records the number of records, ≥ 0
   * @return bytes, native or on the heap; {@link Long#MAX_VALUE} if the engine sorts memory only
   */
  default long minStreamingBytes(long records) {
    return Long.MAX_VALUE;
  }

  /**
   * Sorts records while several threads read and write them by position. The input is read more
   * than once: all digits are counted before the first record is moved. Each record is written
   * once.
   *
   * <p>An input that changes meanwhile gives a wrong result or {@link
   * java.util.ConcurrentModificationException}. After an exception of the input or the output, no
   * thread uses either of them.
   *
   * @param records the number of records, ≥ 0
   * @return false if the engine sorts memory only; then nothing was written
   */
  default boolean sort(long records, RecordInput input, RecordOutput output) {
    return false;
  }

  /**
   * Sorts resident records in place.
   *
   * @param offset the offset of the first record in bytes
   * @param length the total length of the records in bytes
   * @throws IndexOutOfBoundsException if the range exceeds the resident bytes
   */
  void sort(ResidentBytes records, long offset, long length);

  /**
   * Computes the sorting permutation without moving records: entry i of {@code order} is the index,
   * from 0, of the i-th record in sorted order.
   *
   * @param records only the keys are read
   * @param order receives one unsigned integer of native byte order per record; its size selects 32
   *     or 64 bits
   */
  void argsort(MemorySegment records, MemorySegment order);

  /**
   * Computes the sorting permutation of resident records into resident memory.
   *
   * @param offset the offset of the first record in bytes
   * @param length the total length of the records in bytes
   * @param order filled completely
   * @throws IndexOutOfBoundsException if the range exceeds the resident bytes
   * @see #argsort(MemorySegment, MemorySegment)
   */
  void argsort(ResidentBytes records, long offset, long length, ResidentBytes order);
}
