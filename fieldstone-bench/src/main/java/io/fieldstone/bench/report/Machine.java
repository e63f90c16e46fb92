package io.fieldstone.bench.report;

import io.fieldstone.engine.memory.CpuInfo;
import java.util.Optional;
import jdk.incubator.vector.ByteVector;

/**
 * The machine that was measured, without the name of its host.
 *
 * @param cpu model of the processor
 * @param processors number that the JVM may use
 * @param system operating system and architecture
 * @param jvm name and version of the virtual machine
 * @param vectorBits width of its preferred vectors, in bits
 */
public record Machine(String cpu, int processors, String system, String jvm, int vectorBits) {

  /** Describes this machine. */
  public static Machine current() {
    return new Machine(
        describe(CpuInfo.current()).orElse("unknown processor"),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"),
        System.getProperty("java.vm.vendor") + " " + Runtime.version(),
        ByteVector.SPECIES_PREFERRED.vectorBitSize());
  }

  /** Returns all of it in one line. */
  public String description() {
    return "%s, %d processors, %s; JVM %s, %d-bit vectors"
        .formatted(cpu, processors, system, jvm, vectorBits);
  }

  /**
   * Returns the model name with the family and model numbers, because a virtual machine may name
   * only the family.
   */
  static Optional<String> describe(CpuInfo facts) {
    return facts
        .get("model name")
        .map(name -> {
          Optional<String> family = facts.get("cpu family");
          Optional<String> model = facts.get("model");
          return family.isEmpty() || model.isEmpty()
              ? name
              : "%s (family %s, model %s)".formatted(name, family.get(), model.get());
        });
  }
}
