package io.fieldstone.bench.net.hosts;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;

/** Numbered hosts that reach each other and run the programs of a measurement. */
public interface Hosts extends AutoCloseable {

  /** Returns the address by which the other hosts reach a host. */
  String address(int host);

  /**
   * Starts a command on a host.
   *
   * @param output the target of its output and errors
   * @throws CancellationException if the processes are stopped
   */
  Process start(int host, List<String> command, ProcessBuilder.Redirect output) throws IOException;

  /** Starts a command on a host; its output is read from the process. */
  default Process start(int host, List<String> command) throws IOException {
    return start(host, command, ProcessBuilder.Redirect.PIPE);
  }

  /** Returns true if the processes are stopped, also because the JVM ends. */
  boolean isClosed();

  /** Stops all processes. */
  @Override
  void close();
}
