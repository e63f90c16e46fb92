package io.fieldstone.bench.net;

import java.io.File;
import java.lang.management.ManagementFactory;
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

  /** The option that names a cache of classes, and the cache of the commands of the network. */
  private static final String CACHE = "-XX:AOTCache=";

  private static final String NETWORK_CACHE = "network.aot";

  /** The option by which short commands leave the profiles of a cache. */
  private static final String NO_PROFILES = "-XX:-AOTReplayTraining";

  /** The beginnings of options of this JVM that others get; debuggers and agents are its own. */
  private static final List<String> KEPT_OPTIONS =
      List.of("-X", "-Dio.netty.", "--sun-misc-unsafe-memory-access");

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

  /**
   * Returns the command that runs a class of the benchmark in a JVM of its own. If this JVM has a
   * cache of classes, the other one is started in the same way as a command of the network.
   */
  static List<String> java(Class<?> main, String... arguments) {
    List<String> own = ManagementFactory.getRuntimeMXBean().getInputArguments();
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(options(own, System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * Returns the options for another JVM, up to the name of its main class: those of this one, with
   * the cache of the network in place of its own. The JVM uses a cache only for the same jar, and
   * without options for modules.
   */
  static List<String> options(List<String> own, String classPath) {
    List<String> options =
        new ArrayList<>(own.stream().filter(Tools::isKept).map(Tools::withNetworkCache).toList());
    boolean hasCache = options.stream().anyMatch(option -> option.startsWith(CACHE));
    options.addAll(
        hasCache
            ? List.of("-jar", classPath, Peers.NAME)
            : List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--add-modules=jdk.incubator.vector",
                "-cp",
                classPath));
    return options;
  }

  private static boolean isKept(String option) {
    return KEPT_OPTIONS.stream().anyMatch(option::startsWith) && !option.equals(NO_PROFILES);
  }

  private static String withNetworkCache(String option) {
    return option.startsWith(CACHE)
        ? CACHE + Path.of(option.substring(CACHE.length())).resolveSibling(NETWORK_CACHE)
        : option;
  }
}
