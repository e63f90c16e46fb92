package io.fieldstone.cuda;

import io.fieldstone.cuda.driver.Context;
import io.fieldstone.cuda.driver.CudaException;
import io.fieldstone.cuda.driver.OutOfDeviceMemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The lanes of an engine: as many as its calls needed at once, kept for the next ones. Thread-safe.
 */
final class Lanes implements AutoCloseable {

  private final Context context;
  private final ConcurrentLinkedDeque<Lane> idle = new ConcurrentLinkedDeque<>();

  Lanes(Context context) {
    this.context = context;
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
        Lane lane = idle.poll();
        lanes.add(lane == null ? new Lane(context) : lane);
      }
      lanes.forEach(lane -> lane.setOnly(count == 1));
      reserve(lanes, workspace);
      return run(lanes, use);
    } finally {
      for (Lane lane : lanes) {
        lane.shrink();
        idle.push(lane);
      }
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
    use(
        1,
        new Workspace(),
        lanes -> {
          use.accept(lanes.getFirst());
          return 0;
        });
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
