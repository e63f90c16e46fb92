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

  /** The bytes up to which generations are read by one task: four of the default shape. */
  private static final long MAX_BYTES = 320 << 10;

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
    long bytes = 0;
    for (int i = 0; i < loads.size(); i++) {
      GenerationLoad load = loads.get(i);
      bytes += load.bytes();
      if (i > first && (bytes > MAX_BYTES || load.object() != loads.get(first).object())) {
        read(loads.subList(first, i));
        first = i;
        bytes = load.bytes();
      }
    }
    read(loads.subList(first, loads.size()));
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
