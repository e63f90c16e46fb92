package io.fieldstone.net.events;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.rlnc.object.GenerationLoad;
import io.fieldstone.rlnc.object.GenerationTask;
import io.fieldstone.rlnc.wire.Sha256;
import java.net.InetSocketAddress;
import jdk.jfr.FlightRecorder;

/**
 * Records events for the Flight Recorder. The classes of events are loaded only once it is in use:
 * the first of them would make it describe all events of the JVM, which takes a tenth of a fetch's
 * start.
 */
public final class NetworkEvents {

  private NetworkEvents() {}

  /** Records that a connection is open. */
  public static void opened(InetSocketAddress peer) {
    if (FlightRecorder.isInitialized()) {
      ConnectionOpenedEvent.record(peer);
    }
  }

  /** Records the end of a connection. */
  public static void closed(InetSocketAddress peer, CloseReason why) {
    if (FlightRecorder.isInitialized()) {
      ConnectionClosedEvent.record(peer, why);
    }
  }

  /** Runs a load and records it. */
  public static void load(GenerationLoad load) {
    if (FlightRecorder.isInitialized()) {
      GenerationLoadEvent.run(load);
    } else {
      load.run();
    }
  }

  /** Runs a task that decodes and hashes a generation, and records it. */
  public static void verify(GenerationTask task, Sha256 object) {
    if (FlightRecorder.isInitialized()) {
      GenerationVerifyEvent.run(task, object);
    } else {
      task.run();
    }
  }

  /** Records a conviction. */
  public static void convicted(String peer, String reason, boolean isBanned) {
    if (FlightRecorder.isInitialized()) {
      PeerConvictedEvent.record(peer, reason, isBanned);
    }
  }

  /**
   * Records the rate of a sender after reports of its receiver.
   *
   * @param passed the packets sent since the last record, as far as their fate is known
   * @param arrived those of them that arrived
   */
  public static void rate(
      String peer, double bytesPerSecond, long passed, long arrived, long rttNanos) {
    if (FlightRecorder.isInitialized()) {
      RateEvent.record(peer, bytesPerSecond, passed, arrived, rttNanos);
    }
  }
}
