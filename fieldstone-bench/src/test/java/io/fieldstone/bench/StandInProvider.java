package io.fieldstone.bench;

import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.Ceilings;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.EngineProvider;
import io.fieldstone.engine.EngineStatus;
import io.fieldstone.engine.Ports;
import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.engine.sorting.Sorts;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Provides the cores under the names of a GPU and its variants, so that every row for a GPU is
 * measured without one. The cores come first in preference, so {@code auto} does not take it.
 */
public final class StandInProvider implements EngineProvider {

  /** The engine that stands for a GPU. */
  public static final String SPEC = "stand:0";

  /** Its ceilings: GB/s of memory and of the bus each way, microseconds of a launch. */
  public static final double MEMORY_READ = 100;

  public static final double BUS_UP = 5;
  public static final double BUS_DOWN = 6;
  public static final double LAUNCH_MICROS = 10;

  private static final List<String> VARIANTS =
      List.of(
          "tensor",
          "loop-word",
          "loop-word-24",
          "loop-word-coarse",
          "loop-byte",
          "table",
          "table-plain",
          "table-log",
          "table-log-plain",
          "baseline",
          "hpds",
          "assisted",
          "cpu-vectors",
          "gauss-jordan");

  /** For the service loader. */
  public StandInProvider() {}

  @Override
  public int preference() {
    return -1;
  }

  @Override
  public List<EngineStatus> engines() {
    return Stream.concat(
            Stream.of(
                EngineStatus.present(SPEC, EngineKind.GPU, "stands for a GPU"),
                EngineStatus.missing(
                    "stand:1", EngineKind.GPU, "stands for another", "it is away")),
            VARIANTS.stream()
                .map(variant ->
                    EngineStatus.present(
                        SPEC + ":" + variant, EngineKind.GPU, "stands for a variant")))
        .toList();
  }

  @Override
  public Engine open(String spec, EngineOptions options) {
    return new StandIn(spec, Engine.open("cpu", options), options.phases());
  }

  private static List<Ceiling> ceilings() {
    return List.of(
        new Ceiling("binary tensor cores", 64, "T bit-MAC/s"),
        new Ceiling("device memory, read", MEMORY_READ, "GB/s"),
        new Ceiling("bus, up", BUS_UP, "GB/s"),
        new Ceiling("bus, down", BUS_DOWN, "GB/s"),
        new Ceiling("bus, both ways at once, each", 4, "GB/s"),
        new Ceiling("clock of all multiprocessors", 20, "G cycles/s"),
        new Ceiling("launch and wait", LAUNCH_MICROS, "µs"));
  }

  private record StandIn(String spec, Engine cores, PhaseListener phases) implements Engine {

    @Override
    public EngineKind kind() {
      return EngineKind.GPU;
    }

    @Override
    public String description() {
      return "a stand-in";
    }

    @Override
    public <P> Optional<P> find(Class<P> port) {
      Ports own =
          Ports.of(Checksums.class, () -> new StandInChecksums(cores.checksums(), phases))
              .with(Sorts.class, () -> new StandInSorts(cores.sorts(), phases))
              .with(Ceilings.class, () -> StandInProvider::ceilings);
      return own.find(port).or(() -> cores.find(port));
    }

    @Override
    public void close() {
      cores.close();
    }
  }
}
