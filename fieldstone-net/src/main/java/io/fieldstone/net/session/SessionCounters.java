package io.fieldstone.net.session;

import java.util.concurrent.atomic.LongAdder;

/** Counts what the sessions of a server did, since its start. Thread-safe. */
public final class SessionCounters {

  /** Connections whose greeting was accepted. */
  public final LongAdder sessions = new LongAdder();

  /** Connections that were refused or broke the protocol. */
  public final LongAdder refused = new LongAdder();

  /** Objects opened. */
  public final LongAdder objects = new LongAdder();

  /** Data packets handed over for sending. */
  public final LongAdder packetsSent = new LongAdder();

  /** Bytes of these packets. */
  public final LongAdder bytesSent = new LongAdder();

  /** Reports received. */
  public final LongAdder reports = new LongAdder();

  /** Data packets that receivers reported as lost. */
  public final LongAdder packetsLost = new LongAdder();
}
