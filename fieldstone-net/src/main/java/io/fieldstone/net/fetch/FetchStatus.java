package io.fieldstone.net.fetch;

import java.util.Set;

/**
 * The numbers of a fetch at one moment.
 *
 * @param totalBytes the bytes of the file; 0 before they are known
 * @param doneBytes those that are verified, with those of an earlier attempt
 * @param packets the packets received
 * @param packetsInnovative those that brought an innovative block
 * @param sources the servers that send
 */
record FetchStatus(
    long totalBytes, long doneBytes, long packets, long packetsInnovative, int sources) {

  static final FetchStatus NONE = new FetchStatus(0, 0, 0, 0, 0);

  /** The components that do not only grow. */
  static final Set<String> GAUGES = Set.of("totalBytes", "doneBytes", "sources");
}
