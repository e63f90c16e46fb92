package io.fieldstone.bench.net;

import io.fieldstone.bench.net.hosts.Hosts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A program that moves a file between hosts. */
interface FilePeer extends Peer {

  /** Returns the kernel's congestion control that its sender uses, if it uses TCP. */
  default String congestionControl() {
    return "cubic";
  }

  /**
   * Moves a file.
   *
   * @return the result when the slowest receiver has the file, or when its time is over
   * @throws IOException if a process of the program fails
   */
  Transfer transfer(Hosts hosts, Job job) throws IOException, InterruptedException;

  /**
   * The file of a transfer, its hosts, and its limits.
   *
   * @param file at the senders
   * @param warmUp a file that programs in Java move first, so that they are compiled
   * @param work an empty folder for output
   * @param senders hosts that have the file
   * @param receivers hosts that want it
   * @param linkMegabits rate of the link that limits them, for programs that must be given a rate
   * @param limitSeconds time after which a receiver stops
   * @param warmUpSeconds time after which no round of the warm-up begins; 0 for one round
   * @param events receives the events of the transfer
   */
  record Job(
      Path file,
      Path warmUp,
      Path work,
      List<Integer> senders,
      List<Integer> receivers,
      double linkMegabits,
      double limitSeconds,
      double warmUpSeconds,
      Events events) {

    public Job {
      senders = List.copyOf(senders);
      receivers = List.copyOf(receivers);
    }

    /** Reports a server that runs; killing its process kills the server. */
    void serverStarted(int host, Process server) {
      events.serverStarted(host, server);
    }

    /** Reports the end of the warm-up. */
    void warmedUp(WarmUpRounds.Result result) {
      events.warmedUp(result);
    }

    /** Reports that all servers run, and that the receivers begin after their warm-up. */
    void begin() {
      events.begin();
    }
  }

  /** Receives the events of a transfer. All methods do nothing by default. */
  interface Events {
    /** Ignores all events. */
    Events NONE = new Events() {};

    /** Receives the process of a server. */
    default void serverStarted(int host, Process server) {}

    /** Receives the end of the warm-up of a program in Java. */
    default void warmedUp(WarmUpRounds.Result result) {}

    /** Receives the start of the receivers, after their warm-up. */
    default void begin() {}

    /** Receives the end of the transfer, while the servers still run. */
    default void end() {}
  }
}
