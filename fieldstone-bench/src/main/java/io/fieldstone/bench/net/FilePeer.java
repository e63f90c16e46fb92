package io.fieldstone.bench.net;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A way to move a file from the first end of a network to the others. */
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
   * Moves a file to all other ends.
   *
   * @param network end 0 is the sender
   * @param job the file and the limits
   */
  Transfer transfer(VirtualNetwork network, Job job) throws IOException, InterruptedException;

  /**
   * What to move.
   *
   * @param file at the sender
   * @param work an empty folder for output
   * @param receivers number of receivers, at the ends from 1
   * @param linkMegabits rate of the link that limits them, for programs that must be given a rate
   * @param limitSeconds time after which a receiver stops
   */
  record Job(Path file, Path work, int receivers, double linkMegabits, double limitSeconds) {}
}
