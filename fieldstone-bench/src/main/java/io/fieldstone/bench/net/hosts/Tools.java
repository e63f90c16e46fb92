package io.fieldstone.bench.net.hosts;

import io.fieldstone.cli.console.Launcher;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Commands that the benchmark starts. */
public final class Tools {

  private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));
  private static final List<String> SYSTEM_FOLDERS = List.of("/usr/sbin", "/sbin");

  /** The beginnings of options of this JVM that others get; debuggers and agents are its own. */
  private static final List<String> KEPT_OPTIONS =
      List.of("-X", "-Dio.netty.", "--sun-misc-unsafe-memory-access");

  private Tools() {}

  /** Finds a command in the search path, and in the folders for administrators. */
  public static Optional<Path> find(String command) {
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

  /**
   * Returns the command that runs a class of the benchmark in a JVM of its own: as the command that
   * its first argument names if a launcher started this JVM, else with the options of this one.
   */
  public static List<String> java(Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            start(
                Launcher.path().map(Path::toString),
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Returns the start of the command of another JVM, up to the name of its main class. */
  static List<String> start(Optional<String> launcher, List<String> own, String classPath) {
    if (launcher.isPresent()) {
      return List.of(launcher.get(), PeerCommand.NAME);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    own.stream()
        .filter(option -> KEPT_OPTIONS.stream().anyMatch(option::startsWith))
        .forEach(command::add);
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--add-modules=jdk.incubator.vector",
            "-cp",
            classPath));
    return command;
  }
}
