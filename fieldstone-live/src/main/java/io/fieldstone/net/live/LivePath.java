package io.fieldstone.net.live;

import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.PathStats;
import java.lang.foreign.MemorySegment;

/** What carries datagrams to a peer. */
interface LivePath {

  /** Returns the maximum bytes of a datagram now. */
  int maxDatagramBytes();

  /** Checks whether the discovery of the MTU has raised the maximum. */
  default void refresh() {}

  /** Hands a datagram over; returns false if it was not accepted. */
  boolean send(MemorySegment datagram);

  /** Returns the datagrams that were accepted and wait. */
  long backlog();

  /** Sends what was handed over. */
  void flush();

  /** Sends a report at once; it is dropped if the path does not carry it, since others follow. */
  static void sendReport(Connection connection, MemorySegment report) {
    if (report.byteSize() <= connection.maxDatagramBytes() && connection.sendDatagram(report)) {
      connection.flush();
    }
  }

  /** Returns the path of a connection. */
  static LivePath of(Connection connection) {
    return new LivePath() {
      @Override
      public int maxDatagramBytes() {
        return connection.maxDatagramBytes();
      }

      @Override
      public void refresh() {
        PathStats _ = connection.stats(); // makes the carrier read the MTU of the path again
      }

      @Override
      public boolean send(MemorySegment datagram) {
        return datagram.byteSize() <= connection.maxDatagramBytes()
            && connection.sendDatagram(datagram);
      }

      @Override
      public long backlog() {
        return connection.backlogDatagrams();
      }

      @Override
      public void flush() {
        connection.flush();
      }
    };
  }
}
