package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.Engine;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The measured ceilings of an engine, as what they are compared with. Each is found by the words of
 * its name; what an engine does not measure is empty.
 */
public record EngineCeilings(List<Ceiling> ceilings) implements Section {

  /** Bit products in a product over GF(2^8) by the plain method. */
  private static final double BITS_PER_PRODUCT = 64;

  private static final double TERA_IN_GIGA = 1e3;

  public EngineCeilings {
    ceilings = List.copyOf(ceilings);
  }

  /** What the tensor cores allow in the plain form of 64 bit products, G GF-MAC/s. */
  public OptionalDouble tensorRate() {
    return ceilings.stream()
        .filter(one -> one.name().contains("tensor") && one.unit().endsWith("MAC/s"))
        .mapToDouble(one -> {
          double giga = one.unit().startsWith("T ") ? one.value() * TERA_IN_GIGA : one.value();
          return one.unit().contains("bit-MAC") ? giga / BITS_PER_PRODUCT : giga;
        })
        .max();
  }

  /** The engine's own memory, GB/s. */
  public OptionalDouble memoryRead() {
    return named("device memory, read");
  }

  /** Host memory to the engine, GB/s. */
  public OptionalDouble upload() {
    return named("bus, up");
  }

  /** The engine to host memory, GB/s. */
  public OptionalDouble download() {
    return named("bus, down");
  }

  /** The slower of both directions, GB/s. */
  public OptionalDouble slowerDirection() {
    OptionalDouble up = upload();
    OptionalDouble down = download();
    return up.isPresent() && down.isPresent()
        ? OptionalDouble.of(Math.min(up.getAsDouble(), down.getAsDouble()))
        : OptionalDouble.empty();
  }

  /** Each direction while both are busy, GB/s. */
  public OptionalDouble bothWays() {
    return named("bus, both ways at once, each");
  }

  /** From asking for the smallest piece of work to knowing that it is done, microseconds. */
  public OptionalDouble launchMicros() {
    return named("launch and wait");
  }

  /** The ceilings of the GPU; none without one. */
  public static EngineCeilings ofGpu(BenchEngines engines) {
    return new EngineCeilings(engines.gpu().map(Engine::ceilings).orElseGet(List::of));
  }

  @Override
  public int steps() {
    return 0;
  }

  /** A table of them, if there are any. */
  @Override
  public List<Part> measure(Run run) {
    if (ceilings.isEmpty()) {
      return List.of();
    }
    Table.Builder table =
        Table.named("ceilings", "Ceilings of this GPU in this run", "what", "value", "unit");
    ceilings.forEach(ceiling ->
        table.row(Cell.of(ceiling.name()), Cell.of(ceiling.value()), Cell.of(ceiling.unit())));
    return List.of(table.build());
  }

  private OptionalDouble named(String name) {
    return ceilings.stream()
        .filter(one -> one.name().equals(name))
        .mapToDouble(Ceiling::value)
        .findFirst();
  }
}
