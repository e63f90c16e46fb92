package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.Event;
import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports to a listener when a stream ran which phases. GPU events mark the start and end of phases
 * and are read after the call. Without a listener no event is recorded. For one thread at a time.
 */
public final class StreamTrace implements AutoCloseable {

  /** An open phase; it contains the work that is enqueued before it is closed. */
  public interface Open extends AutoCloseable {
    @Override
    void close();
  }

  private static final Open NO_PHASE = () -> {};
  private static final double NS_PER_MS = 1e6;

  private final PhaseListener listener;
  private final Context context;
  private final Stream stream;
  private final List<Event> events = new ArrayList<>();
  private final List<RecordedPhase> recorded = new ArrayList<>();
  private String source = "";
  private long startNs;
  private int used;
  private int depth;

  private record RecordedPhase(String name, long bytes, Event first, Event last) {}

  StreamTrace(PhaseListener listener, Context context, Stream stream) {
    this.listener = listener;
    this.context = context;
    this.stream = stream;
  }

  /** Starts the clock; the stream must be idle. */
  void start(String place) {
    this.source = place;
    mark();
    startNs = System.nanoTime();
  }

  /** Starts a phase; a nested one is not reported. */
  Open open(String name, long bytes) {
    if (listener.equals(PhaseListener.NONE) || depth > 0) {
      return NO_PHASE;
    }
    depth++;
    Event first = mark();
    return () -> {
      depth--;
      recorded.add(new RecordedPhase(name, bytes, first, mark()));
    };
  }

  /** Records an event at this point of the stream. */
  private Event mark() {
    if (used == events.size()) {
      events.add(context.timingEvent());
    }
    Event event = events.get(used++);
    stream.record(event);
    return event;
  }

  /** Reports all phases since {@link #start}; the stream must be idle. */
  void report() {
    for (RecordedPhase phase : recorded) {
      if (phase.last().isDone()) {
        long first = time(phase.first());
        long last = Math.max(first, time(phase.last()));
        listener.onPhase(new Phase(source, phase.name(), first, last, phase.bytes()));
      }
    }
    discard();
  }

  /** Discards the recorded phases. */
  void discard() {
    recorded.clear();
    used = 0;
    depth = 0;
  }

  private long time(Event event) {
    return startNs + (long) (event.millisSince(events.get(0)) * NS_PER_MS);
  }

  @Override
  public void close() {
    events.forEach(Event::close);
    events.clear();
  }
}
