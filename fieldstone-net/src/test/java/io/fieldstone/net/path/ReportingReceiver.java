package io.fieldstone.net.path;

import static io.fieldstone.net.path.PacedSender.LONG;

import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/** Counts datagrams and reports every 5 ms. */
final class ReportingReceiver implements ConnectionHandler {
  private static final long REPORT_NANOS = 5_000_000;

  final CompletableFuture<CloseReason> closed = new CompletableFuture<>();
  private final MemorySegment report = Arena.ofAuto().allocate(6 * Long.BYTES);
  private long highest = -1;
  private long last = -1;
  private long lastNanos;
  volatile long arrived;
  private long arrivedBytes;

  @Override
  public void opened(Connection connection) {
    report(connection);
  }

  @Override
  public void datagram(MemorySegment bytes) {
    long sequence = bytes.get(LONG, 0);
    arrived++;
    arrivedBytes += bytes.byteSize();
    highest = Math.max(highest, sequence);
    last = sequence;
    lastNanos = System.nanoTime();
  }

  @Override
  public void control(MemorySegment message) {}

  @Override
  public void writable() {}

  @Override
  public void closed(CloseReason reason) {
    closed.complete(reason);
  }

  private void report(Connection connection) {
    long now = System.nanoTime();
    report.setAtIndex(LONG, 0, now);
    report.setAtIndex(LONG, 1, arrived);
    report.setAtIndex(LONG, 2, arrivedBytes);
    report.setAtIndex(LONG, 3, highest);
    report.setAtIndex(LONG, 4, last);
    report.setAtIndex(LONG, 5, now - lastNanos);
    connection.sendDatagram(report);
    connection.flush();
    connection.schedule(() -> report(connection), REPORT_NANOS);
  }
}
