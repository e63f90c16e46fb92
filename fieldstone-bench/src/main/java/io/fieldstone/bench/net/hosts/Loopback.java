package io.fieldstone.bench.net.hosts;

import io.fieldstone.bench.measure.Processes;
import java.io.IOException;
import java.util.List;

/** Hosts that are all this machine, on its loopback interface. Thread-safe. */
public final class Loopback implements Hosts {

  private final Processes processes = new Processes();

  @Override
  public String address(int host) {
    return "127.0.0.1";
  }

  @Override
  public Process start(int host, List<String> command, ProcessBuilder.Redirect output)
      throws IOException {
    return processes.start(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output));
  }

  @Override
  public boolean isClosed() {
    return processes.isClosed();
  }

  @Override
  public void close() {
    processes.close();
  }
}
