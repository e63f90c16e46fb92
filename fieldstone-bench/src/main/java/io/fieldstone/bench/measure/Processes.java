package io.fieldstone.bench.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Starts processes, and stops all of them when it is closed or the JVM ends. Starts none after
 * that. Thread-safe.
 */
public final class Processes implements AutoCloseable {

  /** Fair, so that threads that start processes do not delay the end of all. */
  private final Lock lock = new ReentrantLock(true);

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
  public Process start(ProcessBuilder command) throws IOException {
    lock.lock();
    try {
      if (closed) {
        throw new CancellationException("the processes are stopped");
      }
      Process process = command.start();
      started.add(process);
      return process;
    } finally {
      lock.unlock();
    }
  }

  /** Returns true if the processes are stopped, or being stopped. */
  public boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Kills a process and those that it started, without waiting for their end. */
  public static void kill(Process process) {
    try (Stream<ProcessHandle> children = process.descendants()) {
      children.forEach(ProcessHandle::destroyForcibly);
    }
    process.destroyForcibly();
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
    lock.lock();
    try {
      closed = true;
      all = List.copyOf(started);
    } finally {
      lock.unlock();
    }
    all.forEach(Processes::kill);
    for (Process process : all) {
      process.onExit().join();
    }
  }
}
