package io.fieldstone.cuda.execution;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.Event;
import io.fieldstone.cuda.driver.Stream;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.memory.PhaseListener;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells a listener what a stream was busy with and when: events of the GPU mark where phases begin
 * and end, and are read when all is over. Without a listener nothing is marked. For one thread at a
 * time.
 */
public final class StreamTrace implements AutoCloseable {

  /** A phase under way; whatever the stream is given before it is closed belongs to it. */
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

  /** Starts the clock, when somebody listens; the stream is idle. */
  void begin(String place) {
    this.source = place;
    mark();
    startNs = System.nanoTime();
  }

  /** Begins a phase. One within another is part of that and not told of. */
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

  /** Sets an event to this point of the stream. */
  private Event mark() {
    if (used == events.size()) {
      events.add(context.timingEvent());
    }
    Event event = events.get(used++);
    stream.record(event);
    return event;
  }

  /** Tells of all phases since {@link #begin}. Nothing is under way in the stream. */
  void report() {
    for (RecordedPhase phase : recorded) {
      if (phase.last().isDone()) {
        long first = time(phase.first());
        long last = Math.max(first, time(phase.last()));
        listener.spent(new Phase(source, phase.name(), first, last, phase.bytes()));
      }
    }
    discard();
  }

  /** Drops what was marked. */
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
