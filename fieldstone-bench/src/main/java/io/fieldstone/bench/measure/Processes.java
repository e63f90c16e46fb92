package io.fieldstone.bench.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

/**
 * Starts processes, and stops all of them when it is closed or the JVM ends. Starts none after
 * that. Thread-safe.
 */
public final class Processes implements AutoCloseable {

  private final List<Process> started = new ArrayList<>();
  private final Thread hook = new Thread(this::stop, "fieldstone-bench-processes");
  private boolean closed;

  /** Starts no process yet. */
  public Processes() {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException ending) {
      closed = true;
    }
  }

  /**
   * Starts a process.
   *
   * @throws IOException if the command cannot be run
   * @throws CancellationException if this is closed, or the JVM ends
   */
  public synchronized Process start(ProcessBuilder command) throws IOException {
    if (closed) {
      throw new CancellationException("the processes are stopped");
    }
    Process process = command.start();
    started.add(process);
    return process;
  }

  /** Returns true if the processes are stopped, or being stopped. */
  public synchronized boolean isClosed() {
    return closed;
  }

  /** Kills the processes and those that they started, and waits until the former have ended. */
  @Override
  public void close() {
    stop();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // the hook runs
    }
  }

  private void stop() {
    List<Process> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(started);
    }
    for (Process process : all) {
      try (Stream<ProcessHandle> children = process.descendants()) {
        children.forEach(ProcessHandle::destroyForcibly);
      }
      process.destroyForcibly();
    }
    for (Process process : all) {
      process.onExit().join();
    }
  }
}
