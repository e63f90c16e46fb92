package io.fieldstone.bench.net;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Hosts that are all this machine, on its loopback interface. For one thread. */
final class Loopback implements Hosts {

  private final List<Process> started = new ArrayList<>();

  @Override
  public String address(int host) {
    return "127.0.0.1";
  }

  @Override
  public Process start(int host, List<String> command, ProcessBuilder.Redirect output)
      throws IOException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    started.add(process);
    return process;
  }

  @Override
  public void close() {
    Tools.stop(started);
  }
}
