package io.fieldstone.net.browser;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.CloseReason;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.fieldstone.net.carrier.Connection;
import io.fieldstone.net.carrier.ConnectionHandler;
import io.fieldstone.net.carrier.HeapExhaustion;
import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.carrier.PathStats;
import io.fieldstone.net.events.NetworkEvents;
import io.fieldstone.net.trust.Fingerprint;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose packets travel in streams of HTTP. What is sent waits in a {@link FrameQueue},
 * which the thread of the answer empties; what arrives comes from the threads of requests. All else
 * happens on the loop.
 */
final class StreamConnection implements Connection {

  private static final Logger LOGGER = System.getLogger(StreamConnection.class.getName());

  /** As large as packets of other carriers may be, so that all blocks fit. */
  private static final int MAX_DATAGRAM_BYTES = 1 << 16;

  /** A browser that sends nothing for this time has left. */
  private static final long IDLE_NANOS = 60_000_000_000L;

  private final Loop loop;
  private final InetSocketAddress remote;
  private final FrameQueue queue = new FrameQueue();
  private final Runnable onClosed;
  private @Nullable ConnectionHandler handler;
  private boolean open;
  private boolean closed;
  private boolean refused;
  private long requests;
  private long lastNanos;

  /**
   * Creates a connection.
   *
   * @param onClosed is called on the loop when the connection is closed
   */
  StreamConnection(Loop loop, InetSocketAddress remote, Runnable onClosed) {
    this.loop = loop;
    this.remote = remote;
    this.onClosed = onClosed;
  }

  /** Returns the frames that wait to be sent. */
  FrameQueue queue() {
    return queue;
  }

  /** Opens the connection, on any thread. */
  void open(Function<Connection, ConnectionHandler> accept) {
    execute(() -> {
      lastNanos = System.nanoTime();
      handler = accept.apply(this);
      if (!closed) {
        open = true;
        NetworkEvents.opened(remote);
        handler.opened(this);
        watch();
      }
    });
  }

  private void watch() {
    if (closed) {
      return;
    }
    if (System.nanoTime() - lastNanos > IDLE_NANOS) {
      end(new CloseReason(Kind.TIMED_OUT, 0, "nothing arrived for 60 s"));
    } else {
      Cancellable _ = schedule(this::watch, IDLE_NANOS / 4);
    }
  }

  /** Takes the frames of a request, on any thread. */
  void arrived(Iterable<Frame> frames) {
    execute(() -> {
      requests++;
      lastNanos = System.nanoTime();
      for (Frame each : frames) {
        ConnectionHandler current = handler;
        if (!open || current == null) {
          return;
        }
        if (each.kind() != Frame.CONTROL) {
          current.datagram(each.body());
        } else if (each.body().byteSize() > 0) { // an empty message shows that the peer is alive
          current.control(each.body());
        }
      }
    });
  }

  /** There is room in the queue again; on any thread. */
  void drained() {
    execute(() -> {
      ConnectionHandler current = handler;
      if (open && refused && current != null) {
        refused = false;
        current.writable();
      }
    });
  }

  /** The browser has left; on any thread. */
  void left() {
    execute(
        () -> end(new CloseReason(Kind.CLOSED_BY_PEER, CloseReason.DONE, "the browser has left")));
  }

  private void end(CloseReason why) {
    if (closed) {
      return;
    }
    closed = true;
    open = false;
    queue.close();
    NetworkEvents.closed(remote, why);
    onClosed.run();
    ConnectionHandler current = handler;
    if (current != null) {
      current.closed(why);
    }
  }

  @Override
  public Loop loop() {
    return loop;
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return remote;
  }

  @Override
  public Optional<Fingerprint> remoteFingerprint() {
    return Optional.empty();
  }

  @Override
  public int maxDatagramBytes() {
    return MAX_DATAGRAM_BYTES;
  }

  @Override
  public boolean sendDatagram(MemorySegment bytes) {
    return send(Frame.PACKET, bytes, MAX_DATAGRAM_BYTES, FrameQueue.MAX_PACKET_BYTES);
  }

  @Override
  public boolean sendControl(MemorySegment message) {
    return send(Frame.CONTROL, message, MAX_CONTROL_BYTES, FrameQueue.MAX_BYTES);
  }

  private boolean send(byte kind, MemorySegment body, int maxBytes, int maxQueuedBytes) {
    if (body.byteSize() < 1 || body.byteSize() > maxBytes) {
      throw new IllegalArgumentException(
          "frame of " + body.byteSize() + " bytes: want 1 to " + maxBytes);
    }
    if (!open) {
      return false;
    }
    boolean isTaken = queue.offer(Frame.encode(kind, body), maxQueuedBytes);
    refused |= !isTaken;
    return isTaken;
  }

  @Override
  public void flush() {
    // The thread of the answer sends what there is.
  }

  @Override
  public long backlogDatagrams() {
    return queue.size();
  }

  @Override
  public long packetsReceived() {
    return requests;
  }

  @Override
  public PathStats stats() {
    return PathStats.UNKNOWN;
  }

  @Override
  public void execute(Runnable task) {
    Cancellable _ = schedule(task, 0);
  }

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    return loop.schedule(() -> call(task), delayNanos);
  }

  /** Runs code of a user of the port; a failure ends the connection. */
  private void call(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      HeapExhaustion.report(e);
      LOGGER.log(Level.WARNING, "the handler of the connection with " + remote + " failed", e);
      close(CloseReason.INTERNAL, "internal error");
    }
  }

  @Override
  public void close(long code, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    execute(() -> {
      if (!closed) {
        queue.finish(Frame.close(code, utf8));
        end(new CloseReason(Kind.CLOSED_HERE, code, text));
      }
    });
  }
}
