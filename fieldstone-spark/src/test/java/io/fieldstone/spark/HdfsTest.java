package io.fieldstone.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcValue;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.FileSorter;
import io.fieldstone.sort.RecordLayout;
import io.fieldstone.sort.SortListener;
import io.fieldstone.spark.coding.CodingOptions;
import io.fieldstone.spark.coding.DecodeJob;
import io.fieldstone.spark.coding.EncodeJob;
import io.fieldstone.spark.coding.RepairJob;
import io.fieldstone.spark.crc.ChecksumJob;
import io.fieldstone.spark.sort.SortJob;
import io.fieldstone.spark.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jobs on a NameNode and a DataNode of HDFS. */
class HdfsTest {

  private static final JavaSparkContext CONTEXT = LocalSpark.CONTEXT;
  private static final CodingOptions CODING = new CodingOptions(16, 4096, 2, 3, 1);
  private static final int TASK_BYTES = 3 << 20;

  /** Of many tasks. */
  private static final int LARGE_BYTES = 12_345_600;

  private static final int SMALL_BYTES = 300_000;

  @TempDir private static java.nio.file.Path local;
  private static MiniDFSCluster cluster;
  private static FileSystem hdfs;
  private static String root;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        new MiniDFSCluster.Builder(new Configuration(), local.resolve("hdfs").toFile()).build();
    cluster.waitActive();
    hdfs = cluster.getFileSystem();
    root = cluster.getURI() + "/";
    Files.createDirectories(local.resolve("files"));
    store("large", LARGE_BYTES);
    store("small", SMALL_BYTES);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.shutdown(true);
    }
  }

  private static void store(String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    java.nio.file.Path file = Files.write(local.resolve("files").resolve(name), bytes);
    hdfs.copyFromLocalFile(new Path(file.toUri()), new Path(root + "files/" + name));
  }

  private static byte[] read(String path) throws IOException {
    try (var in = hdfs.open(new Path(root + path))) {
      return in.readAllBytes();
    }
  }

  private static List<String> paths(String... names) {
    return List.of(names).stream().map(name -> root + name).toList();
  }

  @Test
  void shardsAreThoseOfTheLibraryAndOneLostPathIsMadeAgain() throws Exception {
    List<String> paths = paths("one", "two", "three");
    EncodeJob.of(CONTEXT, CODING).withTaskBytes(TASK_BYTES).run(root + "files", paths);
    requireShards();

    assertThat(hdfs.delete(new Path(root + "two"), true)).isTrue();
    DecodeJob.of(CONTEXT).withTaskBytes(TASK_BYTES).run(paths, root + "decoded");
    for (String name : List.of("large", "small")) {
      assertThat(read("decoded/" + name)).isEqualTo(read("files/" + name));
    }

    RepairJob.of(CONTEXT, CODING).withTaskBytes(TASK_BYTES).run(paths);
    requireShards();
  }

  private static void requireShards() throws Exception {
    List<String> paths = List.of("one", "two", "three");
    PlainShards.requireEqual(
        CODING, local.resolve("files"), List.of("large", "small"), local, paths, HdfsTest::read);
    for (String path : paths) {
      assertThat(hdfs.listStatus(new Path(root + path))).hasSize(2);
    }
  }

  @Test
  void checksumsAreThoseOfTheFiles() throws Exception {
    List<CrcValue> expected = checksums(local.resolve("files").toString());
    assertThat(checksums(root + "files")).hasSize(2).isEqualTo(expected);
  }

  private static List<CrcValue> checksums(String folder) throws IOException {
    return ChecksumJob.of(CONTEXT, CrcCatalogue.model("CRC-64/XZ")).run(List.of(folder)).stream()
        .map(sum -> sum.checksum().orElseThrow())
        .toList();
  }

  @Test
  void sortedPartsAreJoined() throws Exception {
    RecordLayout records =
        new RecordLayout(100, 0, new RecordLayout.ByteString(10), Direction.ASCENDING);
    SortJob.of(CONTEXT, records)
        .withTaskBytes(TASK_BYTES)
        .toOneFile()
        .run(List.of(root + "files/large"), root + "sorted");
    java.nio.file.Path plain = local.resolve("plain");
    try (Engine engine = Engine.open("cpu")) {
      FileSorter.of(engine, records, 1 << 28)
          .sort(local.resolve("files/large"), plain, SortListener.NONE);
    }
    assertThat(read("sorted")).isEqualTo(Files.readAllBytes(plain));
  }

  /** Fails where a driver that is killed would leave no file. */
  public static final class WithoutDelete extends DistributedFileSystem {
    @Override
    public boolean delete(Path path, boolean isRecursive) throws IOException {
      throw new IOException("not deleted: " + path);
    }
  }

  @Test
  void aFileIsReplacedAtOnce() throws Exception {
    Configuration configuration = CONTEXT.hadoopConfiguration();
    configuration.set("fs.hdfs.impl", WithoutDelete.class.getName());
    configuration.setBoolean("fs.hdfs.impl.disable.cache", true);
    try {
      Storage storage = Storage.of(CONTEXT);
      storage.replace(storage.path(root + "state"), new byte[] {1});
      storage.replace(storage.path(root + "state"), new byte[] {2});
    } finally {
      configuration.unset("fs.hdfs.impl");
      configuration.unset("fs.hdfs.impl.disable.cache");
    }
    assertThat(read("state")).containsExactly(2);
  }

  @Test
  void aFolderOfPartsIsReplaced() throws Exception {
    RecordLayout records =
        new RecordLayout(100, 0, new RecordLayout.ByteString(10), Direction.ASCENDING);
    SortJob job = SortJob.of(CONTEXT, records).replacing();
    job.withTaskBytes(SMALL_BYTES / 3).run(List.of(root + "files/small"), root + "parts/sorted");
    job.run(List.of(root + "files/small"), root + "parts/sorted");
    assertThat(hdfs.listStatus(new Path(root + "parts"))).hasSize(1);
    assertThat(hdfs.listStatus(new Path(root + "parts/sorted"))).hasSize(1);
  }
}
