package io.fieldstone.spark;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;

/**
 * A standalone master of Spark and its workers on loopback, each a JVM with the class path of this
 * one. A worker has one executor.
 */
public final class LocalCluster implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final String CLASSES = "org.apache.spark.deploy.";
  private static final long MAX_START_NS = 60_000_000_000L;

  private final Path folder;
  private final Path home;
  private final Shape shape;
  private final String master;
  private final List<Process> processes = new ArrayList<>();
  private final List<Process> workers = new ArrayList<>();

  /**
   * The executors of a cluster.
   *
   * @param executors their number
   * @param cores of each
   * @param memory the heap of each, as Spark writes it
   * @param gpus whether executor i has GPU i, which its tasks share
   */
  public record Shape(int executors, int cores, String memory, boolean gpus) {}

  private LocalCluster(Path folder, Path home, Shape shape, int port) {
    this.folder = folder;
    this.home = home;
    this.shape = shape;
    this.master = "spark://" + HOST + ":" + port;
  }

  /**
   * Starts a cluster.
   *
   * @param folder for its files
   */
  public static LocalCluster start(Path folder, Shape shape) throws Exception {
    // The scripts of a worker look for the jars of Spark here; executors get the class path
    // instead.
    Path home = Files.createDirectories(folder.resolve("spark/jars")).getParent();
    Files.write(home.resolve("RELEASE"), new byte[0]);
    int port = freePort();
    LocalCluster cluster = new LocalCluster(folder, home, shape, port);
    try {
      cluster.startMaster(port);
      for (int i = 0; i < shape.executors; i++) {
        cluster.startWorker(i);
      }
    } catch (Exception e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    }
  }

  private void startMaster(int port) throws Exception {
    start("master.Master", List.of(), "--host", HOST, "--port", "" + port);
    awaitPort(port);
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

  private void startWorker(int index) throws IOException {
    // Spark runs a speculative attempt on another host only.
    String host = "127.0.0." + (index + 1);
    String work = folder.resolve("work" + index).toString();
    List<String> options = shape.gpus ? gpuOptions(index) : List.of();
    String cores = Integer.toString(shape.cores);
    String[] args = {"--host", host, "-c", cores, "-m", shape.memory, "-d", work, master};
    workers.add(start("worker.Worker", options, args));
  }

  /** Gives a worker one GPU by a discovery script, as Spark's documentation describes it. */
  private List<String> gpuOptions(int gpu) throws IOException {
    Path script = folder.resolve("gpu" + gpu);
    Files.writeString(
        script,
        """
        #!/bin/sh
        echo '{"name": "gpu", "addresses": ["%d"]}'
        """
            .formatted(gpu));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return List.of(
        "-Dspark.worker.resource.gpu.amount=1",
        "-Dspark.worker.resource.gpu.discoveryScript=" + script);
  }

  private Process start(String main, List<String> options, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(System.getProperty("spark.flags").split(" ")));
    command.addAll(options);
    command.addAll(
        List.of("-Xmx256m", "-cp", System.getProperty("java.class.path"), CLASSES + main));
    command.addAll(List.of("--webui-port", "0"));
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

  /** Returns the configuration of a context on this cluster. */
  public SparkConf conf() {
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setAppName("cluster")
            .set("spark.driver.bindAddress", HOST)
            .set("spark.driver.host", HOST)
            .set("spark.ui.enabled", "false")
            .set("spark.executor.memory", shape.memory)
            .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .set(
                "spark.executor.extraJavaOptions",
                "--add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED");
    if (shape.gpus) {
      conf.set("spark.executor.resource.gpu.amount", "1")
          .set("spark.task.resource.gpu.amount", Double.toString(1.0 / shape.cores));
    }
    return conf;
  }

  /** Kills the executor of the first worker, which starts another. */
  void killExecutor() {
    workers.getFirst().descendants().forEach(ProcessHandle::destroyForcibly);
  }

  /** Kills all processes. */
  @Override
  public void close() {
    for (Process process : processes.reversed()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
