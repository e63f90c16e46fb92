package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.Ceilings;
import io.fieldstone.engine.Engine;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The measured ceilings of an engine, found by their names; a ceiling that it does not measure is
 * empty.
 */
public record EngineCeilings(List<Ceiling> ceilings) implements Section {

  /** Bit products in a product over GF(2^8) by the plain method. */
  private static final double BITS_PER_PRODUCT = 64;

  private static final double TERA_IN_GIGA = 1e3;

  public EngineCeilings {
    ceilings = List.copyOf(ceilings);
  }

  /**
   * Returns the ceiling of the tensor cores in the plain form of 64 bit products per GF-MAC, G
   * GF-MAC/s.
   */
  public OptionalDouble tensorRate() {
    return ceilings.stream()
        .filter(one -> one.name().contains("tensor") && one.unit().endsWith("MAC/s"))
        .mapToDouble(one -> {
          double giga = one.unit().startsWith("T ") ? one.value() * TERA_IN_GIGA : one.value();
          return one.unit().contains("bit-MAC") ? giga / BITS_PER_PRODUCT : giga;
        })
        .max();
  }

  /** Returns the rate of reading device memory, GB/s. */
  public OptionalDouble memoryRead() {
    return named("device memory, read");
  }

  /** Returns the rate of uploads, GB/s. */
  public OptionalDouble upload() {
    return named("bus, up");
  }

  /** Returns the rate of downloads, GB/s. */
  public OptionalDouble download() {
    return named("bus, down");
  }

  /** Returns the lower rate of both directions, GB/s. */
  public OptionalDouble slowerDirection() {
    OptionalDouble up = upload();
    OptionalDouble down = download();
    return up.isPresent() && down.isPresent()
        ? OptionalDouble.of(Math.min(up.getAsDouble(), down.getAsDouble()))
        : OptionalDouble.empty();
  }

  /** Returns the rate of each direction while both are busy, GB/s. */
  public OptionalDouble bothWays() {
    return named("bus, both ways at once, each");
  }

  /** Returns the cycles of all multiprocessors at their highest clock, G cycles/s. */
  public OptionalDouble multiprocessorCycles() {
    return named("clock of all multiprocessors");
  }

  /** Returns the time to launch the smallest kernel and wait for it, microseconds. */
  public OptionalDouble launchMicros() {
    return named("launch and wait");
  }

  /** Measures the ceilings of an engine; returns none if it has no such port. */
  public static EngineCeilings of(Engine engine) {
    return new EngineCeilings(
        engine.find(Ceilings.class).map(Ceilings::measure).orElseGet(List::of));
  }

  /** Measures the ceilings of the GPU; returns no ceilings without a GPU. */
  public static EngineCeilings ofGpu(BenchEngines engines) {
    return engines.gpu().map(EngineCeilings::of).orElseGet(() -> new EngineCeilings(List.of()));
  }

  @Override
  public int steps() {
    return 0;
  }

  /** Makes a table of the ceilings, if any. */
  @Override
  public List<Part> measure(Run run) {
    if (ceilings.isEmpty()) {
      return List.of();
    }
    Table.Builder table =
        Table.named("ceilings", "Ceilings of this GPU in this run", "ceiling", "value", "unit");
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
