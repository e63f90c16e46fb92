package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.CudaException;
import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import io.fieldstone.engine.PhaseListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The lanes of an engine: as many as its calls needed at once, kept for the next ones. Thread-safe.
 */
final class Lanes implements AutoCloseable {

  private static final Workspace NOTHING = new Workspace();

  private final Context context;
  private final String spec;
  private final PhaseListener listener;
  private final ConcurrentLinkedDeque<Lane> idle = new ConcurrentLinkedDeque<>();

  /**
   * Lanes of an engine.
   *
   * @param spec its name, for who listens to its phases
   */
  Lanes(Context context, String spec, PhaseListener listener) {
    this.context = context;
    this.spec = spec;
    this.listener = listener;
  }

  /** What is done with lanes. */
  interface Use<T> {
    T with(List<Lane> lanes);
  }

  /**
   * Runs {@code use} with lanes that have the workspace's scratch. When it is done, or fails,
   * nothing is under way in them any more.
   *
   * @throws OutOfDeviceMemoryException if the GPU has not so much; {@code use} has not begun
   * @throws LaneFailure if the driver reports an error to {@code use}
   */
  <T> T use(int count, Workspace workspace, Use<T> use) {
    List<Lane> lanes = new ArrayList<>(count);
    try {
      for (int i = 0; i < count; i++) {
        lanes.add(take());
      }
      lanes.forEach(lane -> lane.setOnly(count == 1));
      reserve(lanes, workspace);
      beginPhases(lanes);
      T result = run(lanes, use);
      lanes.forEach(lane -> lane.phases().report());
      return result;
    } finally {
      lanes.forEach(this::giveBack);
    }
  }

  private void beginPhases(List<Lane> lanes) {
    if (listener.equals(PhaseListener.NONE)) {
      return;
    }
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).phases().begin("%s lane %d".formatted(spec, i + 1));
    }
  }

  private static <T> T run(List<Lane> lanes, Use<T> use) {
    try {
      return use.with(lanes);
    } catch (CudaException e) {
      throw new LaneFailure(
          lanes.stream().map(Lane::lastKernel).distinct().collect(Collectors.joining(", ")), e);
    }
  }

  /** With one lane without scratch. */
  void useOne(Consumer<Lane> use) {
    useOne(NOTHING, use);
  }

  /** As {@link #use} with one lane; for what is over in microseconds. */
  void useOne(Workspace workspace, Consumer<Lane> use) {
    Lane lane = take();
    try {
      lane.setOnly(true);
      reserve(List.of(lane), workspace);
      beginPhases(List.of(lane));
      run(lane, use);
      lane.phases().report();
    } finally {
      giveBack(lane);
    }
  }

  private static void run(Lane lane, Consumer<Lane> use) {
    boolean done = false;
    try {
      use.accept(lane);
      done = true;
    } catch (CudaException e) {
      throw new LaneFailure(lane.lastKernel(), e);
    } finally {
      if (!done) {
        lane.drain();
      }
    }
  }

  private Lane take() {
    Lane lane = idle.poll();
    return lane == null ? new Lane(context, listener) : lane;
  }

  private void giveBack(Lane lane) {
    lane.phases().forget();
    lane.shrink();
    idle.push(lane);
  }

  private void reserve(List<Lane> lanes, Workspace workspace) {
    try {
      lanes.forEach(lane -> lane.reserve(workspace));
    } catch (OutOfDeviceMemoryException e) {
      freeIdle();
      lanes.forEach(lane -> lane.reserve(workspace));
    }
  }

  /** Frees lanes that nobody uses, and their scratch. */
  void freeIdle() {
    for (Lane lane = idle.poll(); lane != null; lane = idle.poll()) {
      lane.close();
    }
  }

  /** Frees all lanes; nobody uses one. */
  @Override
  public void close() {
    freeIdle();
  }
}
