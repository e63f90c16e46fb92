package io.fieldstone.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.rlnc.file.FileEncoder;
import io.fieldstone.sort.FileSorter;
import io.fieldstone.sort.RecordLayout;
import io.fieldstone.sort.SortListener;
import io.fieldstone.spark.coding.CodingOptions;
import io.fieldstone.spark.coding.EncodeJob;
import io.fieldstone.spark.sort.SortJob;
import io.fieldstone.stream.ProgressListener;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
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

  private static final String HOST = "127.0.0.1";
  private static final int TASKS_BEFORE_KILL = 3;
  private static final long MAX_START_NS = 60_000_000_000L;

  @TempDir Path folder;
  private final List<Process> processes = new ArrayList<>();
  private final List<Process> workers = new ArrayList<>();
  private final AtomicInteger removed = new AtomicInteger();
  private final AtomicInteger speculative = new AtomicInteger();
  private volatile boolean kills = true;
  private JavaSparkContext context;

  @BeforeEach
  void startCluster() throws Exception {
    // The scripts of a worker look for the jars of Spark here; executors get the class path
    // instead.
    Path home = Files.createDirectories(folder.resolve("spark/jars")).getParent();
    Files.createFile(home.resolve("RELEASE"));
    int port = freePort();
    String master = "spark://" + HOST + ":" + port;
    String name = "org.apache.spark.deploy.";
    start(home, name + "master.Master", "--host", HOST, "--port", "" + port, "--webui-port", "0");
    awaitPort(port);
    for (int i = 0; i < 2; i++) {
      workers.add(
          start(
              home,
              name + "worker.Worker",
              "--host",
              // Spark runs a speculative attempt on another host only.
              "127.0.0." + (i + 1),
              "--webui-port",
              "0",
              "-c",
              "1",
              "-m",
              "1g",
              "-d",
              folder.resolve("work" + i).toString(),
              master));
    }
    context =
        new JavaSparkContext(
            new SparkConf()
                .setMaster(master)
                .setAppName("cluster")
                .set("spark.driver.bindAddress", HOST)
                .set("spark.driver.host", HOST)
                .set("spark.ui.enabled", "false")
                .set("spark.executor.memory", "600m")
                .set("spark.speculation", "true")
                .set("spark.speculation.interval", "100ms")
                .set("spark.speculation.quantile", "0.5")
                .set("spark.hadoop.fs.slow.impl", SlowFileSystem.class.getName())
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.executor.extraJavaOptions", "--add-modules=jdk.incubator.vector"));
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
        workers.getFirst().descendants().forEach(ProcessHandle::destroyForcibly);
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
      removed.incrementAndGet();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    }
  }

  /** Waits until the master listens; who asks it before waits 20 seconds for the next attempt. */
  private static void awaitPort(int port) throws Exception {
    for (long end = System.nanoTime() + MAX_START_NS; System.nanoTime() < end; ) {
      try (Socket _ = new Socket(HOST, port)) {
        return;
      } catch (IOException e) {
        Thread.sleep(50);
      }
    }
    throw new IOException("no master at port " + port);
  }

  private Process start(Path home, String main, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(System.getProperty("spark.flags").split(" ")));
    command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path"), main));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SPARK_LOCAL_IP", HOST);
    File log = folder.resolve("log" + processes.size()).toFile();
    Process process = builder.redirectErrorStream(true).redirectOutput(log).start();
    processes.add(process);
    return process;
  }

  @AfterEach
  void stopCluster() {
    if (context != null) {
      context.close();
    }
    for (Process process : processes.reversed()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
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
    Path plain = folder.resolve("plain");
    try (Engine engine = Engine.open("cpu")) {
      new FileEncoder(engine, options.parameters()).encode(file, plain, ProgressListener.NONE);
    }
    for (int shard = 0; shard < options.shards(); shard++) {
      String name = "file.%02d.fst".formatted(shard);
      assertThat(Path.of(paths.get(shard % 2)).resolve(name))
          .hasSameBinaryContentAs(plain.resolve(name));
    }
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
