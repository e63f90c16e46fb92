package io.fieldstone.bench.net;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Commands that the benchmark starts. */
final class Tools {

  private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));
  private static final List<String> SYSTEM_FOLDERS = List.of("/usr/sbin", "/sbin");

  private Tools() {}

  /** Finds a command in the search path, and in the folders for administrators. */
  static Optional<Path> find(String command) {
    List<String> folders = new ArrayList<>();
    String path = System.getenv("PATH");
    if (path != null) {
      SEPARATOR.splitAsStream(path).forEach(folders::add);
    }
    folders.addAll(SYSTEM_FOLDERS);
    return folders.stream()
        .map(folder -> Path.of(folder, command))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Returns the command that runs a class of the benchmark in a JVM of its own. */
  static List<String> java(Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-modules=jdk.incubator.vector",
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "-Dio.netty.leakDetection.level=disabled", // as the command does
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
