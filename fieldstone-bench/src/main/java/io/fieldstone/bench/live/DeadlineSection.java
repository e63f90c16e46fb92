package io.fieldstone.bench.live;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.bench.simulation.LiveResult;
import io.fieldstone.bench.simulation.LiveSimulation;
import io.fieldstone.engine.Engine;
import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Loss;
import io.fieldstone.rlnc.repair.DeliveryTime;
import io.fieldstone.rlnc.window.WindowCode;
import java.util.List;

/**
 * Simulates streams with {@link io.fieldstone.rlnc.repair.RepairPolicy}, and counts late packets.
 *
 * @param engine codes
 * @param seconds the length of each stream
 */
record DeadlineSection(Engine engine, int seconds) implements Section {

  private static final long SEED = 21;

  /** The seconds in which the policy learns the path. */
  private static final int WARM_UP = 10;

  private static final List<Integer> DEADLINES = List.of(50, 75, 100, 150, 200, 300);
  private static final double PER_MILLION = 1e6;

  private record Condition(String name, Loss loss) {}

  private static final List<Condition> CONDITIONS =
      List.of(
          new Condition("none", Loss.NONE),
          new Condition("1 %", Loss.random(0.01)),
          new Condition("5 %", Loss.random(0.05)),
          new Condition("10 %", Loss.random(0.1)),
          new Condition("20 %", Loss.random(0.2)),
          new Condition("5 %, runs of 8", Loss.bursts(0.05, 8)));

  @Override
  public int steps() {
    return CONDITIONS.size() * DEADLINES.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "deadline",
            "Loss that is left at a deadline, with the repairs that the policy chooses",
            "loss",
            "deadline, ms",
            "left, of 10^6",
            "repairs / source",
            "bytes sent / payload",
            "99 %, ms");
    int length = run.blocks(seconds);
    int warmUp = run.blocks(WARM_UP);
    for (Condition condition : CONDITIONS) {
      for (int deadline : DEADLINES) {
        run.beginStep("loss %s, deadline %d ms".formatted(condition.name, deadline));
        LiveResult result = simulate(condition.loss, deadline, warmUp, length);
        table.row(
            Cell.of(condition.name),
            Cell.of(deadline),
            Cell.of(Math.rint(PER_MILLION * result.residual())),
            Cell.of(result.redundancy()),
            Cell.of(result.bytesRatio()),
            Cell.of(result.p99Millis()));
      }
    }
    return List.of(
        table
            .note(
                "%d s of the same stream over the same path, simulated with the code and the policy; the deadline is that beside the delay of the path. Reports are not lost."
                    .formatted(length))
            .note("Bytes sent have the headers of QUIC datagrams, UDP and IP; payload has none.")
            .build());
  }

  private LiveResult simulate(Loss loss, int deadline, int warmUp, int length) {
    Impairment path = Impairment.NONE.withDelay(LiveStream.ROUND_TRIP_NANOS / 2, 0);
    try (LiveSimulation simulation =
        new LiveSimulation(
                (long) (deadline * LiveStream.NANOS_PER_MILLI),
                DeliveryTime.AT_DEADLINE,
                LiveStream.PACKET_BYTES,
                LiveSimulation.every(LiveStream.INTERVAL_NANOS),
                path.withLoss(loss),
                path,
                SEED)
            .withCode(engine, WindowCode.GF256)) {
      return simulation.warmUp(warmUp).run(warmUp + length);
    }
  }
}
