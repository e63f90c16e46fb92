package io.fieldstone.net.shared;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.carrier.PathStats;
import io.fieldstone.net.trust.Fingerprint;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Optional;

/** The part that one receiver has of a {@link SharedConnection}, for at most one open object. */
final class Channel implements Connection {

  /** No object is open. */
  static final int NO_ALIAS = -1;

  private final SharedConnection shared;
  private final Connection connection;
  private final ConnectionHandler handler;
  private boolean isClosed;

  /** Whether a message was not accepted, so that the receiver waits. */
  private boolean isBlocked;

  /** The object that the server has opened for this receiver. */
  int alias = NO_ALIAS;

  Channel(SharedConnection shared, Connection connection, ConnectionHandler handler) {
    this.shared = shared;
    this.connection = connection;
    this.handler = handler;
  }

  ConnectionHandler handler() {
    return handler;
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Passes a message of the server on. */
  void control(MemorySegment bytes) {
    if (!isClosed) {
      handler.control(bytes);
    }
  }

  /** Lets the receiver go on that a full stream has stopped. */
  void writable() {
    if (isBlocked && !isClosed) {
      isBlocked = false;
      handler.writable();
    }
  }

  /** Takes note that the connection has closed. */
  void closed(CloseReason reason) {
    if (!isClosed) {
      isClosed = true;
      handler.closed(reason);
    }
  }

  @Override
  public Loop loop() {
    return connection.loop();
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return connection.remoteAddress();
  }

  @Override
  public Optional<Fingerprint> remoteFingerprint() {
    return connection.remoteFingerprint();
  }

  @Override
  public int maxDatagramBytes() {
    return connection.maxDatagramBytes();
  }

  @Override
  public boolean sendDatagram(MemorySegment bytes) {
    return !isClosed && connection.sendDatagram(bytes);
  }

  @Override
  public void flush() {
    connection.flush();
  }

  @Override
  public long backlogDatagrams() {
    return connection.backlogDatagrams();
  }

  @Override
  public boolean sendControl(MemorySegment message) {
    if (isClosed) {
      return false;
    }
    boolean isAccepted = shared.send(this, message);
    isBlocked |= !isAccepted;
    return isAccepted;
  }

  @Override
  public long packetsReceived() {
    return connection.packetsReceived();
  }

  @Override
  public PathStats stats() {
    return connection.stats();
  }

  @Override
  public void execute(Runnable task) {
    connection.execute(task);
  }

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    return connection.schedule(task, delayNanos);
  }

  /** Closes the object at the server; the connection stays open for others. */
  @Override
  public void close(long code, String text) {
    connection.execute(() -> {
      if (!isClosed) {
        shared.leave(this);
        closed(new CloseReason(CloseReason.Kind.CLOSED_HERE, code, text));
      }
    });
  }
}
