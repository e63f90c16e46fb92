package io.fieldstone.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** The Spark context of the tests: two cores of this JVM, and four attempts of each task. */
public final class LocalSpark {

  /** The context. */
  public static final JavaSparkContext CONTEXT =
      new JavaSparkContext(
          new SparkConf()
              .setMaster("local[2,4]")
              .setAppName("tests")
              .set("spark.driver.bindAddress", "127.0.0.1")
              .set("spark.hadoop.fs.flaky.impl", FlakyFileSystem.class.getName())
              .set("spark.hadoop.fs.copying.impl", CopyingFileSystem.class.getName()));

  private LocalSpark() {}

  /** Deletes a folder. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Returns folders with these names in a folder. */
  public static List<String> folders(Path folder, String... names) {
    return List.of(names).stream().map(name -> folder.resolve(name).toString()).toList();
  }
}
