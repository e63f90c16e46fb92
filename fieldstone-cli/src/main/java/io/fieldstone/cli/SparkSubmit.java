package io.fieldstone.cli;

import io.fieldstone.cli.console.ErrorLine;
import io.fieldstone.cli.console.JsonOutput;
import io.fieldstone.cli.console.Streams;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.ExitCode;

/**
 * Runs a command on Apache Spark, if {@code --master URL} is among its options: {@code
 * spark-submit} starts the application of fieldstone-spark, which takes the other options. Neither
 * is part of this command.
 */
final class SparkSubmit {

  private static final String MASTER = "--master";
  private static final String SUBMIT = "spark-submit";
  private static final String HOME = "SPARK_HOME";
  private static final String JAR = "FIELDSTONE_SPARK_JAR";
  private static final List<String> COMMANDS =
      List.of("encode", "decode", "repair", "crc", "sort", "weights", "distance");

  /** The options that are passed to {@code spark-submit}; each takes a value. */
  private static final List<String> FORWARDED =
      List.of(
          MASTER,
          "--deploy-mode",
          "--conf",
          "--properties-file",
          "--driver-memory",
          "--executor-memory",
          "--executor-cores",
          "--num-executors",
          "--total-executor-cores",
          "--queue",
          "--principal",
          "--keytab",
          "--packages",
          "--repositories",
          "--jars",
          "--files");

  private static final int INTERRUPTED = 130;

  private static final String JVM_OPTIONS =
      "--add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED";

  /** Stops log messages of Spark, also those before the application starts. */
  private static final String WITHOUT_LOG = " -Dlog4j2.level=OFF";

  /** Warnings of the JVM about options that Spark or the jobs need. */
  private static final Set<String> JVM_WARNINGS =
      Set.of(
          "WARNING: Using incubator modules: jdk.incubator.vector",
          "WARNING: package sun.security.action not in java.base");

  private final Streams streams;
  private final Map<String, String> environment;
  private final Optional<Path> launcher;

  /**
   * Creates a submission.
   *
   * @param launcher the script that started this command
   */
  SparkSubmit(Streams streams, Map<String, String> environment, Optional<Path> launcher) {
    this.streams = streams;
    this.environment = environment;
    this.launcher = launcher;
  }

  /** Tests whether a command line is for Spark. */
  static boolean isRequested(String... args) {
    for (String arg : args) {
      if (arg.equals("--")) {
        return false;
      }
      if (arg.equals(MASTER) || arg.startsWith(MASTER + "=")) {
        return true;
      }
    }
    return false;
  }

  /** Runs the command and returns its exit code. */
  int run(String... args) {
    if (!COMMANDS.contains(args[0])) {
      return fail(
          "'%s' does not run on Spark: there are %s"
              .formatted(args[0], String.join(", ", COMMANDS)),
          ExitCode.USAGE,
          args);
    }
    List<String> ofSpark = new ArrayList<>();
    List<String> ofCommand = new ArrayList<>();
    for (int i = 0; i < args.length; i++) {
      String name = args[i].replaceFirst("=.*", "");
      if (!FORWARDED.contains(name)) {
        ofCommand.add(args[i]);
      } else if (!name.equals(args[i])) {
        ofSpark.addAll(List.of(name, args[i].substring(name.length() + 1)));
      } else if (i + 1 < args.length) {
        ofSpark.addAll(List.of(name, args[++i]));
      } else {
        return fail("missing value of " + name, ExitCode.USAGE, args);
      }
    }
    Optional<Path> submit = submit();
    if (submit.isEmpty()) {
      return fail(
          "Spark not found: no spark-submit in SPARK_HOME or on the PATH", ExitCode.SOFTWARE, args);
    }
    Optional<Path> jar = jar();
    if (jar.isEmpty()) {
      return fail(
          "fieldstone-spark-VERSION-app.jar not found: build it as docs/spark.md says, or name it"
              + " in "
              + JAR,
          ExitCode.SOFTWARE,
          args);
    }
    List<String> command = new ArrayList<>(List.of(submit.get().toString()));
    command.addAll(ofSpark);
    boolean isVerbose = ofCommand.contains("-v") || ofCommand.contains("--verbose");
    String ofDriver = JVM_OPTIONS + (isVerbose ? "" : WITHOUT_LOG);
    command.addAll(List.of("--conf", "spark.driver.defaultJavaOptions=" + ofDriver));
    command.addAll(List.of("--conf", "spark.executor.defaultJavaOptions=" + JVM_OPTIONS));
    command.add(jar.get().toString());
    command.addAll(ofCommand);
    return run(command, args);
  }

  private int run(List<String> command, String... args) {
    streams.out().flush();
    try {
      Process submit = new ProcessBuilder(command).inheritIO().redirectError(Redirect.PIPE).start();
      Thread errors = Thread.ofVirtual().start(() -> printErrors(submit));
      try {
        int status = submit.waitFor();
        errors.join();
        return status;
      } catch (InterruptedException e) {
        submit.destroy();
        return INTERRUPTED;
      }
    } catch (IOException e) {
      return fail(ErrorLine.of(e), ExitCode.SOFTWARE, args);
    }
  }

  private void printErrors(Process submit) {
    submit
        .errorReader()
        .lines()
        .filter(line -> !JVM_WARNINGS.contains(line))
        .forEach(line -> {
          streams.err().println(line);
          streams.err().flush();
        });
  }

  private int fail(String message, int status, String... args) {
    streams.err().println(ErrorLine.failure(message));
    streams.err().flush();
    if (List.of(args).contains("--json")) {
      new JsonOutput(streams).fail(ErrorLine.oneLine(message.strip()), status);
      streams.out().flush();
    }
    return status;
  }

  private Optional<Path> submit() {
    List<Path> folders = new ArrayList<>();
    if (environment.containsKey(HOME)) {
      folders.add(Path.of(environment.getOrDefault(HOME, ""), "bin"));
    }
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      folders.add(Path.of(folder));
    }
    return folders.stream()
        .map(folder -> folder.resolve(SUBMIT))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private Optional<Path> jar() {
    if (environment.containsKey(JAR)) {
      return Optional.of(Path.of(environment.getOrDefault(JAR, ""))).filter(Files::isReadable);
    }
    Set<Path> found = new TreeSet<>();
    launcher
        .map(Path::getParent)
        .ifPresent(home -> {
          found.addAll(jars(home.resolve("fieldstone-spark/target")));
          found.addAll(jars(home.resolve("../lib")));
        });
    return found.stream().findFirst();
  }

  private static List<Path> jars(Path folder) {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, "fieldstone-spark-*-app.jar")) {
      files.forEach(jars::add);
    } catch (IOException e) {
      return jars; // there is no such folder
    }
    return jars;
  }
}
