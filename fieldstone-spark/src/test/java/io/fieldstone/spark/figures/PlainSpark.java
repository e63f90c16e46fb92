package io.fieldstone.spark.figures;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.zip.CRC32;
import org.apache.spark.RangePartitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;
import scala.math.Ordering;
import scala.reflect.ClassTag$;

/** What users of Spark write without this module. */
record PlainSpark(JavaSparkContext context) {

  private static final int KEY_BYTES = 10;
  private static final int RECORD_BYTES = 100;
  private static final int CHUNK_BYTES = 1 << 20;

  /** The bytes of a part of Spark's files, by default. */
  private static final long PART_BYTES = 64L << 20;

  /** A key whose bytes are compared as unsigned numbers. */
  private record Key(byte[] bytes) implements Serializable, Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return Arrays.compareUnsigned(bytes, other.bytes);
    }
  }

  /** Computes the CRC-32 of each file by {@code java.util.zip}. */
  void crc(Path folder) {
    context
        .binaryFiles("file:" + folder, Figures.FILES)
        .mapValues(stream -> {
          CRC32 crc = new CRC32();
          byte[] chunk = new byte[CHUNK_BYTES];
          try (InputStream in = stream.open()) {
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
              crc.update(chunk, 0, count);
            }
          }
          return crc.getValue();
        })
        .collect();
  }

  /** Sorts by {@code sortByKey}. */
  void sortByKey(Path folder, long bytes, Path output) throws IOException {
    write(pairs(folder).sortByKey(true, parts(bytes)), output);
  }

  /** Sorts by {@code repartitionAndSortWithinPartitions}. */
  void repartitionAndSort(Path folder, long bytes, Path output) throws IOException {
    JavaPairRDD<Key, byte[]> pairs = pairs(folder);
    RangePartitioner<Key, byte[]> ranges =
        new RangePartitioner<>(
            parts(bytes),
            pairs.rdd(),
            true,
            20,
            Ordering.comparatorToOrdering(Comparator.<Key>naturalOrder()),
            ClassTag$.MODULE$.<Key>apply(Key.class));
    write(pairs.repartitionAndSortWithinPartitions(ranges), output);
  }

  private static int parts(long bytes) {
    return Math.toIntExact(Math.ceilDiv(bytes, PART_BYTES));
  }

  private JavaPairRDD<Key, byte[]> pairs(Path folder) {
    return context
        .binaryRecords("file:" + folder, RECORD_BYTES)
        .mapToPair(record ->
            new Tuple2<>(
                new Key(Arrays.copyOf(record, KEY_BYTES)),
                Arrays.copyOfRange(record, KEY_BYTES, RECORD_BYTES)));
  }

  private static void write(JavaPairRDD<Key, byte[]> sorted, Path output) throws IOException {
    String target = Files.createDirectories(output).toString();
    sorted.foreachPartition(records -> write(target, records));
  }

  private static void write(String folder, Iterator<Tuple2<Key, byte[]>> records)
      throws IOException {
    Path file = Path.of(folder, "part-%05d".formatted(TaskContext.getPartitionId()));
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), CHUNK_BYTES)) {
      while (records.hasNext()) {
        Tuple2<Key, byte[]> next = records.next();
        out.write(next._1().bytes);
        out.write(next._2());
      }
    }
  }
}
