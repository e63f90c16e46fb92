package io.fieldstone.net.session;

import java.util.ArrayDeque;
import java.util.Deque;

/** Requests of one client that wait for their turn, in order. On the loop of its connection. */
final class RequestQueue<M extends Message> {

  /** The maximum number of requests that wait; a receiver has far fewer. */
  static final int MAX_REQUESTS = 1 << 14;

  /** The memory of a request without its text. */
  private static final int REQUEST_BYTES = 64;

  private final AnswerBudget.Share share;
  private final Deque<M> waiting = new ArrayDeque<>();

  RequestQueue(AnswerBudget.Share share) {
    this.share = share;
  }

  /** Returns true if no more requests may wait. */
  boolean isFull() {
    return waiting.size() == MAX_REQUESTS;
  }

  /** Adds a request, unless the share is closed. */
  void add(M request) {
    if (share.add(bytesOf(request))) {
      waiting.add(request);
    }
  }

  /** Removes the first request, of which there must be one. */
  M remove() {
    M first = waiting.remove();
    share.remove(bytesOf(first));
    return first;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Forgets all requests; the share is closed, or will be. */
  void clear() {
    waiting.clear();
  }

  private static long bytesOf(Message request) {
    return REQUEST_BYTES + (request instanceof Message.Find find ? 2L * find.query().length() : 0);
  }
}
