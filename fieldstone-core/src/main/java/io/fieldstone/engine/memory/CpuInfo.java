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
 * What {@code /proc/cpuinfo} of Linux says of the first processor; elsewhere nothing is known.
 * Thread-safe.
 */
public final class CpuInfo {

  private static final Path SOURCE = Path.of("/proc/cpuinfo");
  private static final CpuInfo HERE = read();

  private final Map<String, String> facts;

  private CpuInfo(Map<String, String> facts) {
    this.facts = Map.copyOf(facts);
  }

  /** Those of this machine. */
  public static CpuInfo here() {
    return HERE;
  }

  /** Those of lines as {@code /proc/cpuinfo} has them: up to the blank one after a processor. */
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

  /** A fact by its name there, such as {@code model name}. */
  public Optional<String> get(String name) {
    return Optional.ofNullable(facts.get(name));
  }

  /** What it can do, by the names of Linux, such as {@code avx2}. */
  public Set<String> flags() {
    return get("flags").map(flags -> Set.copyOf(List.of(flags.split("\\s+")))).orElse(Set.of());
  }
}
