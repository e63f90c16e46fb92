package io.fieldstone.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import jdk.incubator.vector.ByteVector;

/**
 * What was measured on, without the name of the host or anything else that tells whose it is.
 *
 * @param cpu model of the processor
 * @param processors how many the JVM may use
 * @param system operating system and architecture
 * @param jvm name and version of the virtual machine
 * @param vectorBits width of the vectors it prefers
 */
public record Machine(String cpu, int processors, String system, String jvm, int vectorBits) {

  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  /** This machine. */
  public static Machine here() {
    return new Machine(
        cpuModel().orElse("unknown processor"),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"),
        System.getProperty("java.vm.vendor") + " " + Runtime.version(),
        ByteVector.SPECIES_PREFERRED.vectorBitSize());
  }

  /** In one line. */
  public String description() {
    return "%s, %d processors, %s; JVM %s, %d-bit vectors"
        .formatted(cpu, processors, system, jvm, vectorBits);
  }

  /**
   * The model name; a virtual machine may tell only the family, so the family and model numbers go
   * with it.
   */
  private static Optional<String> cpuModel() {
    if (!Files.isReadable(CPU_INFO)) {
      return Optional.empty();
    }
    try (Stream<String> lines = Files.lines(CPU_INFO)) {
      return describe(lines.toList().stream());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** Reads what {@code /proc/cpuinfo} says of its first processor. */
  static Optional<String> describe(Stream<String> cpuInfo) {
    Map<String, String> first = new HashMap<>();
    cpuInfo
        .map(line -> line.split(":", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> first.putIfAbsent(pair[0].strip(), pair[1].strip()));
    return Optional.ofNullable(first.get("model name"))
        .map(name -> {
          String family = first.get("cpu family");
          String model = first.get("model");
          return family == null || model == null
              ? name
              : "%s (family %s, model %s)".formatted(name, family, model);
        });
  }
}
