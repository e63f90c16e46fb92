package io.fieldstone.engine.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The description of the first processor in {@code /proc/cpuinfo} of Linux; empty on other systems.
 * Thread-safe.
 */
public final class CpuInfo {

  private static final Path SOURCE = Path.of("/proc/cpuinfo");
  private static final CpuInfo CURRENT = read();

  private final Map<String, String> facts;

  private CpuInfo(Map<String, String> facts) {
    this.facts = Map.copyOf(facts);
  }

  /** Returns the description of this machine's processor. */
  public static CpuInfo current() {
    return CURRENT;
  }

  /**
   * Parses lines in the format of {@code /proc/cpuinfo}, up to the blank line after the first
   * processor.
   */
  public static CpuInfo of(Stream<String> lines) {
    Map<String, String> first = new HashMap<>();
    lines
        .takeWhile(line -> !line.isBlank())
        .map(line -> line.split(":", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> first.putIfAbsent(pair[0].strip(), pair[1].strip()));
    return new CpuInfo(first);
  }

  private static CpuInfo read() {
    try (Stream<String> lines = Files.lines(SOURCE)) {
      return of(lines);
    } catch (IOException | UncheckedIOException unreadable) {
      return new CpuInfo(Map.of());
    }
  }

  /** Returns the value of a field, such as {@code model name}. */
  public Optional<String> get(String name) {
    return Optional.ofNullable(facts.get(name));
  }

  /** Returns the feature flags, such as {@code avx2}. */
  public Set<String> flags() {
    return get("flags").map(flags -> Set.copyOf(List.of(flags.split("\\s+")))).orElse(Set.of());
  }
}
