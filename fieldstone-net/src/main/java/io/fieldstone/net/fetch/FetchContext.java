package io.fieldstone.net.fetch;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.rlnc.object.ReceiverMemory;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * The services and settings that all parts of a transfer share.
 *
 * @param engine decodes
 * @param carrier connects to servers
 * @param peers what is known of the servers
 * @param destination receives the verified bytes
 * @param listener hears of the progress
 * @param workers decode and hash
 * @param threads the number of workers
 * @param memory what many transfers of small objects share; empty if there is only one
 */
record FetchContext(
    Engine engine,
    Carrier carrier,
    Peers peers,
    FetchSettings settings,
    Destination destination,
    FetchListener listener,
    ExecutorService workers,
    int threads,
    Optional<ReceiverMemory> memory) {

  /** Returns true if many transfers share the connections, the workers and the memory. */
  boolean isOneOfMany() {
    return memory.isPresent();
  }
}
