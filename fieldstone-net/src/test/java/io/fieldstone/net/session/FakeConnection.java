package io.fieldstone.net.session;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.carrier.PathStats;
import io.fieldstone.net.trust.Fingerprint;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A connection without a network, whose loop the test runs by itself, turn by turn. */
final class FakeConnection implements Connection {

  /** The messages that it still accepts, as a stream whose peer reads nothing more. */
  int room;

  final List<Message> sent = new ArrayList<>();

  /** The data packets, copied. */
  final List<byte[]> datagrams = new ArrayList<>();

  /** The code with which it was closed. */
  OptionalLong closeCode = OptionalLong.empty();

  private final Deque<Runnable> turn = new ArrayDeque<>();
  private final Deque<Runnable> later = new ArrayDeque<>();

  FakeConnection(int room) {
    this.room = room;
  }

  /** Runs what waits for the next turn; returns false if there was nothing. */
  boolean runTurn() {
    List<Runnable> tasks = List.copyOf(turn);
    turn.clear();
    tasks.forEach(Runnable::run);
    return !tasks.isEmpty();
  }

  /** Runs what waits for a time that is now over. */
  void runLater() {
    List<Runnable> tasks = List.copyOf(later);
    later.clear();
    tasks.forEach(Runnable::run);
  }

  @Override
  public boolean sendControl(MemorySegment message) {
    if (room == 0) {
      return false;
    }
    room--;
    try {
      sent.add(MessageCodec.parse(message));
    } catch (MalformedMessageException e) {
      throw new AssertionError(e);
    }
    return true;
  }

  @Override
  public long packetsReceived() {
    return 0;
  }

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    Deque<Runnable> tasks = delayNanos <= 0 ? turn : later;
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  @Override
  public void execute(Runnable task) {
    turn.add(task);
  }

  @Override
  public void close(long code, String text) {
    if (closeCode.isEmpty()) {
      closeCode = OptionalLong.of(code);
    }
  }

  @Override
  public Loop loop() {
    return this::schedule;
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
  }

  @Override
  public Optional<Fingerprint> remoteFingerprint() {
    return Optional.empty();
  }

  @Override
  public int maxDatagramBytes() {
    return 1200;
  }

  @Override
  public boolean sendDatagram(MemorySegment bytes) {
    datagrams.add(bytes.toArray(ValueLayout.JAVA_BYTE));
    return true;
  }

  @Override
  public void flush() {}

  @Override
  public long backlogDatagrams() {
    return 0;
  }

  @Override
  public PathStats stats() {
    return PathStats.UNKNOWN;
  }
}
