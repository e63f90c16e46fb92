package io.fieldstone.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.FileSorter;
import io.fieldstone.sort.RecordLayout;
import io.fieldstone.sort.SortListener;
import io.fieldstone.spark.coding.CodingOptions;
import io.fieldstone.spark.coding.EncodeJob;
import io.fieldstone.spark.sort.SortJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A standalone master and two workers, each a JVM with the class path of this test. During a job
 * the process of an executor is killed, or a task never ends.
 */
class ClusterIT {

  private static final int TASKS_BEFORE_KILL = 3;

  @TempDir Path folder;
  private final AtomicInteger removed = new AtomicInteger();
  private final AtomicInteger speculative = new AtomicInteger();
  private volatile boolean kills = true;
  private LocalCluster cluster;
  private JavaSparkContext context;

  @BeforeEach
  void startCluster() throws Exception {
    cluster = LocalCluster.start(folder, new LocalCluster.Shape(2, 1, "600m", false));
    context =
        new JavaSparkContext(
            cluster
                .conf()
                .set("spark.speculation", "true")
                .set("spark.speculation.interval", "100ms")
                .set("spark.speculation.quantile", "0.5")
                .set("spark.hadoop.fs.slow.impl", SlowFileSystem.class.getName()));
    context.sc().addSparkListener(new Killer());
  }

  /** Counts tasks, and kills the executor of a worker after some. */
  private final class Killer extends SparkListener {
    private int tasks;

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      tasks++;
      if (end.taskInfo().speculative() && end.taskInfo().successful()) {
        speculative.incrementAndGet();
      }
      if (kills && tasks == TASKS_BEFORE_KILL) {
        cluster.killExecutor();
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
      removed.incrementAndGet();
    }
  }

  @AfterEach
  void stopCluster() {
    if (context != null) {
      context.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private Path randomFile(int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(1).nextBytes(content);
    return Files.write(folder.resolve("file"), content);
  }

  @Test
  void encodingSurvivesAKilledExecutor() throws Exception {
    Path file = randomFile(48 << 20);
    CodingOptions options = CodingOptions.DEFAULT;
    List<String> paths =
        List.of(folder.resolve("one").toString(), folder.resolve("two").toString());
    EncodeJob.of(context, options).withTaskBytes(1 << 20).run(file.toString(), paths);
    assertThat(removed).hasPositiveValue();

    requirePlainShards(file, options, paths);
  }

  @Test
  void aTaskThatNeverEndsIsReplacedBySpeculation() throws Exception {
    kills = false;
    Path file = randomFile(16 << 20);
    CodingOptions options = CodingOptions.DEFAULT;
    List<String> paths =
        List.of(folder.resolve("one").toString(), folder.resolve("two").toString());
    EncodeJob.of(context, options).withTaskBytes(1 << 20).run("slow:" + file, paths);
    assertThat(speculative).hasPositiveValue();
    requirePlainShards(file, options, paths);
  }

  private void requirePlainShards(Path file, CodingOptions options, List<String> paths)
      throws Exception {
    PlainShards.requireEqual(
        options,
        file.getParent(),
        List.of("file"),
        folder,
        paths,
        path -> Files.readAllBytes(Path.of(path)));
    for (String path : paths) {
      try (Stream<Path> files = Files.list(Path.of(path))) {
        assertThat(files).hasSize(options.shards() / 2);
      }
    }
  }

  @Test
  void sortingSurvivesAKilledExecutor() throws Exception {
    Path file = randomFile(40_000_000);
    RecordLayout records =
        new RecordLayout(100, 0, new RecordLayout.ByteString(10), Direction.ASCENDING);
    Path sorted = folder.resolve("sorted");
    SortJob.of(context, records)
        .withTaskBytes(1 << 20)
        .toOneFile()
        .run(List.of(file.toString()), sorted.toString());
    assertThat(removed).hasPositiveValue();

    Path plain = folder.resolve("plain");
    try (Engine engine = Engine.open("cpu")) {
      FileSorter.of(engine, records, 1 << 28).sort(file, plain, SortListener.NONE);
    }
    assertThat(sorted).hasSameBinaryContentAs(plain);
  }
}
