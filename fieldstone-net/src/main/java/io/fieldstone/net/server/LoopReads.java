package io.fieldstone.net.server;

import io.fieldstone.net.carrier.Loop;
import io.fieldstone.net.events.NetworkEvents;
import io.fieldstone.rlnc.object.GenerationLoad;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the generations that the clients of a loop want, on other threads. Those of one object that
 * are wanted in one turn of the loop are read together, because each task wakes up a thread, and
 * its end the loop. For the loop.
 */
final class LoopReads {

  /** The maximum number of generations of a task. */
  static final int MAX_TOGETHER = 4;

  private final Loop loop;
  private final FileReaders readers;
  private List<GenerationLoad> wanted = new ArrayList<>();

  LoopReads(Loop loop, FileReaders readers) {
    this.loop = loop;
    this.readers = readers;
  }

  /** Reads a generation soon. */
  void add(GenerationLoad load) {
    if (wanted.isEmpty()) {
      var _ = loop.schedule(this::readWanted, 0);
    }
    wanted.add(load);
  }

  private void readWanted() {
    List<GenerationLoad> loads = wanted;
    wanted = new ArrayList<>();
    int first = 0;
    for (int i = 1; i <= loads.size(); i++) {
      if (i == loads.size()
          || i - first == MAX_TOGETHER
          || loads.get(i).object() != loads.get(first).object()) {
        read(loads.subList(first, i));
        first = i;
      }
    }
  }

  private void read(List<GenerationLoad> loads) {
    readers.execute(
        loads.getFirst().object().manifest(),
        () -> {
          loads.forEach(NetworkEvents::load);
          var _ = loop.schedule(() -> loads.forEach(GenerationLoad::finish), 0);
        });
  }
}
