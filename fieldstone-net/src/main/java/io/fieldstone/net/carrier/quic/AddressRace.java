package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.carrier.Carrier;
import io.fieldstone.net.carrier.CloseReason.Kind;
import io.fieldstone.net.carrier.ConnectFailedException;
import io.fieldstone.net.carrier.Connection;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries the addresses of a host one after the other, each a short time after the one before or once
 * that has failed; the first that answers wins (RFC 8305). An address may be named several times.
 * Thread-safe.
 */
final class AddressRace {

  /** The most specific kinds of failure, in descending order. */
  private static final List<Kind> SPECIFIC =
      List.of(Kind.UNTRUSTED, Kind.VERSION_MISMATCH, Kind.CLOSED_BY_PEER, Kind.TIMED_OUT);

  /** Connects to an address. */
  @FunctionalInterface
  interface Connector {

    /**
     * Connects.
     *
     * @param wins asked once the peer has answered and is trusted; if it is false, another address
     *     has won, and the connection is closed
     */
    CompletableFuture<Connection> connect(InetSocketAddress remote, BooleanSupplier wins);
  }

  private final Queue<InetSocketAddress> waiting;
  private final EventExecutor timer;
  private final Connector connector;
  private final CompletableFuture<Connection> result = new CompletableFuture<>();
  private final Set<InetSocketAddress> tried = new HashSet<>();
  private int running;
  private @Nullable Attempt winner;
  private @Nullable Throwable failure;
  private @Nullable ScheduledFuture<?> next;

  /** An attempt to connect to one address. */
  private final class Attempt implements BooleanSupplier {
    @Override
    public boolean getAsBoolean() {
      return wins(this);
    }
  }

  /** Creates a race; the caller starts it. */
  AddressRace(Collection<InetSocketAddress> remotes, EventExecutor timer, Connector connector) {
    this.waiting = new ArrayDeque<>(remotes);
    this.timer = timer;
    this.connector = connector;
  }

  /** Tries the addresses in turn. */
  CompletableFuture<Connection> start() {
    tryNext();
    return result;
  }

  private void tryNext() {
    InetSocketAddress remote;
    synchronized (this) {
      cancelNext();
      remote = winner == null ? waiting.poll() : null;
      if (remote == null) {
        return;
      }
      running++;
      tried.add(remote);
      if (!waiting.isEmpty()) {
        next = timer.schedule(this::tryNext, Carrier.NEXT_ATTEMPT_NANOS, TimeUnit.NANOSECONDS);
      }
    }
    Attempt attempt = new Attempt();
    CompletableFuture<?> _ =
        connector
            .connect(remote, attempt)
            .whenComplete((connection, error) -> ended(attempt, connection, error));
  }

  /** Returns true if the next address was not tried before. */
  private boolean isNextNew() {
    return !tried.contains(waiting.peek());
  }

  private synchronized boolean wins(Attempt attempt) {
    if (winner == null) {
      winner = attempt;
      cancelNext();
    }
    return winner == attempt;
  }

  private void cancelNext() {
    if (next != null) {
      next.cancel(false);
      next = null;
    }
  }

  private void ended(Attempt attempt, @Nullable Connection connection, @Nullable Throwable error) {
    if (connection != null) {
      result.complete(connection);
      return;
    }
    boolean isOver;
    boolean isNext;
    synchronized (this) {
      running--;
      if (winner != null && winner != attempt) {
        return;
      }
      if (failure == null || rank(error) <= rank(failure)) {
        failure = error;
      }
      isOver = winner != null || running == 0 && waiting.isEmpty();
      isNext = !waiting.isEmpty() && isNextNew();
    }
    if (isOver) {
      result.completeExceptionally(Objects.requireNonNull(failure));
    } else if (isNext) {
      tryNext();
    }
  }

  /** Returns the rank of a failure; a lower rank is more specific. */
  private static int rank(@Nullable Throwable error) {
    int rank =
        error instanceof ConnectFailedException failed
            ? SPECIFIC.indexOf(failed.reason().kind())
            : -1;
    return rank < 0 ? SPECIFIC.size() : rank;
  }
}
