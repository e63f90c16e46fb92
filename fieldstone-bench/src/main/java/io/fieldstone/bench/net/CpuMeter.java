package io.fieldstone.bench.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures the processor time of the servers of a transfer, all their threads together. */
final class CpuMeter implements FilePeer.Events {

  private final List<ProcessHandle> servers = new ArrayList<>();
  private Duration before = Duration.ZERO;
  private double seconds;
  private Optional<WarmUpRounds.Result> warmUp = Optional.empty();

  @Override
  public void serverStarted(int host, Process server) {
    servers.add(server.toHandle());
  }

  @Override
  public void warmedUp(WarmUpRounds.Result result) {
    warmUp = Optional.of(result);
  }

  @Override
  public void begin() {
    before = total();
  }

  @Override
  public void end() {
    seconds = total().minus(before).toNanos() / 1e9;
  }

  /** Returns the processor time from the start of the receivers to the end of the transfer. */
  double seconds() {
    return seconds;
  }

  /** Returns the end of the warm-up, of a program that has one. */
  Optional<WarmUpRounds.Result> warmUp() {
    return warmUp;
  }

  private Duration total() {
    return servers.stream()
        .map(server -> server.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }
}
