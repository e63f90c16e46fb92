package io.fieldstone.cli.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The memory of the machine, outside the heap. */
public final class SystemMemory {

  private static final Path SOURCE = Path.of("/proc/meminfo");
  private static final String AVAILABLE = "MemAvailable:";

  private SystemMemory() {}

  /**
   * Returns the bytes that a job may take by default: one and a half times the maximum heap, which
   * by default is a quarter of the memory of the machine or container; but at most half of what is
   * available, where the system gives it.
   */
  public static long jobBytes() {
    long share = Runtime.getRuntime().maxMemory() / 2 * 3;
    try (Stream<String> lines = Files.lines(SOURCE)) {
      return Math.min(share, availableBytes(lines).orElse(Long.MAX_VALUE) / 2);
    } catch (IOException | UncheckedIOException e) {
      return share; // not Linux
    }
  }

  /** Returns the available bytes by lines in the format of {@code /proc/meminfo}. */
  static OptionalLong availableBytes(Stream<String> lines) {
    return lines
        .filter(line -> line.startsWith(AVAILABLE))
        .map(line -> line.substring(AVAILABLE.length()).replace("kB", "").strip())
        .filter(text -> text.matches("\\d{1,15}"))
        .mapToLong(text -> Long.parseLong(text) << 10)
        .findFirst();
  }
}
