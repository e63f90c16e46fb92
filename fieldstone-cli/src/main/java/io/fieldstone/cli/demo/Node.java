package io.fieldstone.cli.demo;

import java.io.IOException;

/** A source, relay or receiver. */
interface Node extends AutoCloseable {

  /**
   * Processes one tick: takes arrived packets and sends requested ones. Runs in parallel with other
   * nodes.
   */
  void step() throws IOException;

  /** Makes this node's feedback visible to its senders. Runs between ticks. */
  void publish();

  /** Returns the number of GF-MACs so far. */
  double multiplyAccumulates();

  @Override
  void close();
}
