package io.fieldstone.bench.net;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A way to move a file between ends of a network. */
interface FilePeer {

  /** Returns its name in tables. */
  String name();

  /** Returns the commands that must be installed; none by default. */
  default List<String> commands() {
    return List.of();
  }

  /** Returns the kernel's congestion control that its sender uses, if it uses TCP. */
  default String congestionControl() {
    return "cubic";
  }

  /**
   * Moves a file.
   *
   * @return when the slowest receiver has it, or its time is over
   */
  Transfer transfer(VirtualNetwork network, Job job) throws IOException, InterruptedException;

  /**
   * What to move.
   *
   * @param file at the senders
   * @param work an empty folder for output
   * @param senders ends that have the file
   * @param receivers ends that want it
   * @param linkMegabits rate of the link that limits them, for programs that must be given a rate
   * @param limitSeconds time after which a receiver stops
   * @param events receives what happens, such as the start of a server
   */
  record Job(
      Path file,
      Path work,
      List<Integer> senders,
      List<Integer> receivers,
      double linkMegabits,
      double limitSeconds,
      Events events) {

    public Job {
      senders = List.copyOf(senders);
      receivers = List.copyOf(receivers);
    }

    /** Reports a server that runs; killing its process kills the server. */
    void serverStarted(int end, Process server) {
      events.serverStarted(end, server);
    }

    /** Reports that all servers run and the receivers start. */
    void begin() {
      events.begin();
    }

    /** Returns the address of the first sender. */
    String host() {
      return RouterEnd.address(senders.getFirst());
    }
  }

  /** What happens during a transfer with several senders. */
  interface Events {
    /** Ignores all events. */
    Events NONE =
        new Events() {
          @Override
          public void serverStarted(int end, Process server) {}

          @Override
          public void begin() {}
        };

    /** Receives the process of a server. */
    void serverStarted(int end, Process server);

    /** Receives the start of the receivers. */
    void begin();
  }
}
