package io.fieldstone.net.live;

import io.fieldstone.engine.Engine;
import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.server.EndpointSettings;
import java.util.Optional;

/**
 * What the receivers of one loop of a relay share: a window of what has been received and solved,
 * and their senders. Each loop has all sources, so that no two threads share a window. All is used
 * on the loop, except where a method says so.
 */
final class LoopRelay {

  private final Loop loop;
  private final RelayWindow window;
  private final LiveSenders senders;
  private final RelayTap tap;

  LoopRelay(
      Engine engine,
      FlowShape shape,
      EndpointSettings settings,
      Optional<LiveMessage.Encryption> encryption,
      Loop loop) {
    this.loop = loop;
    this.window = new RelayWindow(engine, shape);
    this.senders = new LiveSenders(window, settings, encryption);
    this.tap = new RelayTap(window, senders::addedLate, senders::added);
  }

  Loop loop() {
    return loop;
  }

  LiveSenders senders() {
    return senders;
  }

  /** Has a task run on the loop, after those before it. Any thread may call it. */
  void execute(Runnable task) {
    Cancellable _ = loop.schedule(task, 0);
  }

  /** Returns what takes the sources that have been received or solved. */
  RelayTap tap() {
    return tap;
  }

  /** Frees the window, after the connections of the receivers are closed. */
  void close() {
    window.close();
  }
}
