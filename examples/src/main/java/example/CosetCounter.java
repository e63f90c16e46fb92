package example;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineKind;
import io.fieldstone.engine.Ports;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.engine.weights.WeightCounts;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.util.Optional;

// engine begin
/** An engine that counts words of codes by weight, and has no other port. */
final class CosetCounter implements Engine {

  private final Ports ports = Ports.of(WeightCounts.class, () -> CosetCounter::count);

  @Override
  public String spec() {
    return "counter";
  }

  @Override
  public EngineKind kind() {
    return EngineKind.CPU;
  }

  @Override
  public String description() {
    return "counts one word at a time";
  }

  @Override
  public <P> Optional<P> find(Class<P> port) {
    return ports.find(port);
  }

  @Override
  public void close() {}

  private static void count(
      BinaryWords basis, BinaryWords offsets, long[] multiplicities, long[] counts) {
    WeightPreconditions.requireCosets(basis, offsets, multiplicities, counts);
    for (int offset = 0; offset < offsets.count(); offset++) {
      for (long sum = 0; sum < 1L << basis.count(); sum++) {
        int weight = 0;
        for (int part = 0; part < basis.longs(); part++) {
          long bits = offsets.get(offset, part);
          for (int row = 0; row < basis.count(); row++) {
            bits ^= (sum >>> row & 1) * basis.get(row, part);
          }
          weight += Long.bitCount(bits);
        }
        counts[weight] += multiplicities[offset];
      }
    }
  }
}
// engine end
