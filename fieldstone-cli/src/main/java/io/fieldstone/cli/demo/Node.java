package io.fieldstone.cli.demo;

import java.io.IOException;

/** A party of the network. */
interface Node extends AutoCloseable {

  /** Works for one tick: takes what arrived, sends what is wanted. Runs beside other nodes. */
  void step() throws IOException;

  /** Makes its feedback visible to those who send to it. Runs between ticks. */
  void publish();

  /** GF-MACs spent so far. */
  double multiplyAccumulates();

  @Override
  void close();
}
