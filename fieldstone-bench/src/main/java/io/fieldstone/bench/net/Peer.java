package io.fieldstone.bench.net;

import java.util.List;

/** A program that is measured beside others. */
interface Peer {

  /** Returns its name in tables. */
  String name();

  /** Returns the commands that must be installed; none by default. */
  default List<String> commands() {
    return List.of();
  }
}
