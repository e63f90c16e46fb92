package io.fieldstone.spark.storage;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;

/** Divides files into ranges, and packs small ranges together, for tasks of about equal size. */
public final class Splits {

  /** The default bytes of a task. */
  public static final long DEFAULT_BYTES = 64L << 20;

  /** The maximum ranges or files of a task, whose opening takes time too. */
  public static final int MAX_RANGES = 2000;

  /** The maximum ranges of a file. */
  private static final int MAX_RANGES_OF_FILE = 2000;

  /** A file is coded by one task if it has at most this part of the bytes for each core. */
  private static final int PARTS_OF_CORE = 4;

  private Splits() {}

  /**
   * Returns the maximum bytes of a file that one task codes from its start to its end, and about
   * those of a range of a larger one: as many as keep all cores busy.
   *
   * @param total the bytes of all files
   * @param cores the cores of the cluster
   * @param bytes the bytes of a task
   */
  public static long wholeBytes(long total, int cores, long bytes) {
    return Math.max(bytes, total / ((long) PARTS_OF_CORE * cores));
  }

  /**
   * Returns the bytes of a range of a file that is coded. A file of at most {@code wholeBytes} is
   * one range. A larger file has ranges of about {@code wholeBytes}, or larger ones if there would
   * be too many.
   *
   * @param length the bytes of the file
   * @param generationBytes the bytes of a generation, of which a range has whole ones
   * @param wholeBytes the maximum bytes of a file that one task codes ({@link #wholeBytes})
   */
  public static long rangeBytes(long length, long generationBytes, long wholeBytes) {
    if (length <= wholeBytes) {
      return length;
    }
    long wanted = Math.max(wholeBytes, length / MAX_RANGES_OF_FILE);
    return Math.max(1, wanted / generationBytes) * generationBytes;
  }

  /**
   * A range of a file.
   *
   * @param file the index of the file
   * @param from the first byte
   * @param bytes the number of bytes; 0 for an empty file
   */
  public record Range(int file, long from, long bytes) implements Serializable {}

  /**
   * Divides files into ranges.
   *
   * @param lengths the bytes of each file
   * @param rangeBytes gives the bytes of a range for those of a file, at least 1 if they are; the
   *     last range of a file has fewer
   */
  public static List<Range> ranges(List<Long> lengths, LongUnaryOperator rangeBytes) {
    List<Range> ranges = new ArrayList<>();
    for (int file = 0; file < lengths.size(); file++) {
      long length = lengths.get(file);
      long bytes = rangeBytes.applyAsLong(length);
      long from = 0;
      do {
        ranges.add(new Range(file, from, Math.min(bytes, length - from)));
        from += bytes;
      } while (from < length);
    }
    return ranges;
  }

  /**
   * Packs consecutive items for tasks, in lists that Spark can send.
   *
   * @param size the bytes of an item
   * @param bytes the bytes of a task, which one item may exceed
   */
  public static <T> List<ArrayList<T>> pack(List<T> items, ToLongFunction<T> size, long bytes) {
    List<ArrayList<T>> tasks = new ArrayList<>();
    ArrayList<T> task = new ArrayList<>();
    long total = 0;
    for (T item : items) {
      long next = size.applyAsLong(item);
      if (!task.isEmpty() && (total + next > bytes || task.size() == MAX_RANGES)) {
        tasks.add(task);
        task = new ArrayList<>();
        total = 0;
      }
      task.add(item);
      total += next;
    }
    if (!task.isEmpty()) {
      tasks.add(task);
    }
    return tasks;
  }
}
