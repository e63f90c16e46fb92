package io.fieldstone.bench.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measures the processor time of the servers of a transfer, all their threads together. */
final class CpuMeter implements FilePeer.Events {

  private final List<ProcessHandle> servers = new ArrayList<>();
  private Duration before = Duration.ZERO;
  private double seconds;

  @Override
  public void serverStarted(int host, Process server) {
    servers.add(server.toHandle());
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

  private Duration total() {
    return servers.stream()
        .map(server -> server.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }
}
