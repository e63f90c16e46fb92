package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps the calls of a connection to its handler. */
class Recorder implements ConnectionHandler {
  static final int PATIENCE_SECONDS = 60;

  final CompletableFuture<Connection> opened = new CompletableFuture<>();
  final CompletableFuture<CloseReason> closed = new CompletableFuture<>();
  final BlockingQueue<byte[]> datagrams = new LinkedBlockingQueue<>();
  final BlockingQueue<byte[]> controls = new LinkedBlockingQueue<>();
  volatile Runnable onWritable = () -> {};

  @Override
  public void opened(Connection connection) {
    opened.complete(connection);
  }

  @Override
  public void datagram(MemorySegment bytes) {
    datagrams.add(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  @Override
  public void control(MemorySegment message) {
    controls.add(message.toArray(ValueLayout.JAVA_BYTE));
  }

  @Override
  public void writable() {
    onWritable.run();
  }

  @Override
  public void closed(CloseReason reason) {
    closed.complete(reason);
  }

  Connection connection() throws Exception {
    return await(opened);
  }

  byte[] control() throws Exception {
    return controls.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  byte[] datagram() throws Exception {
    return datagrams.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  CloseReason reason() throws Exception {
    return await(closed);
  }

  static <T> T await(CompletableFuture<T> future) throws Exception {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}
