package io.fieldstone.bench;

import io.fieldstone.engine.checksums.Checksums;
import io.fieldstone.engine.checksums.Division;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.engine.memory.Extents;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import io.fieldstone.engine.memory.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Divides on the cores under the names of the methods of a GPU; parameters behind an {@code @} are
 * ignored. Reports phases of the division of a message in main memory.
 *
 * @param cores divide
 * @param phases receives the phases
 */
record StandInChecksums(Checksums cores, PhaseListener phases) implements Checksums {

  private static final Map<String, String> METHODS =
      Map.of(
          "auto", "auto",
          "pcrc", "parallel",
          "pcrc-reduction", "parallel",
          "pcrc-streams", "parallel",
          "folding", "slicing-16");

  @Override
  public List<String> methods(Divisor divisor) {
    return List.of("pcrc", "pcrc-reduction", "pcrc-streams", "folding");
  }

  @Override
  public Division division(Divisor divisor) {
    return cores.division(divisor);
  }

  @Override
  public Division division(Divisor divisor, String method) {
    String plain = method.replaceFirst("@.*", "");
    if (!METHODS.containsKey(plain)) {
      throw new IllegalArgumentException("no method '" + method + "'");
    }
    return new Reporting(cores.division(divisor, METHODS.getOrDefault(plain, plain)), method);
  }

  private final class Reporting implements Division {
    private final Division division;
    private final String method;

    Reporting(Division division, String method) {
      this.division = division;
      this.method = method;
    }

    private long report(String phase, LongSupplier work) {
      long start = System.nanoTime();
      long result = work.getAsLong();
      phases.onPhase(new Phase("stand:0", phase, start, System.nanoTime(), 0));
      return result;
    }

    @Override
    public Divisor divisor() {
      return division.divisor();
    }

    @Override
    public String method() {
      return method;
    }

    @Override
    public void warmUp() {
      division.warmUp();
    }

    @Override
    public long append(long register, MemorySegment message) {
      report("upload", () -> 0);
      long result = report("compute", () -> division.append(register, message));
      return report("download", () -> result);
    }

    @Override
    public long append(long register, ResidentBytes data, long offset, long length) {
      return division.append(register, data, offset, length);
    }

    @Override
    public void append(
        long register, MemorySegment data, Extents messages, MemorySegment registers) {
      division.append(register, data, messages, registers);
    }

    @Override
    public void append(
        long register, ResidentBytes data, Extents messages, MemorySegment registers) {
      division.append(register, data, messages, registers);
    }
  }
}
