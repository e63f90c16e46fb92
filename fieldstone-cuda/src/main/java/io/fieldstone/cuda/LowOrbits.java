package io.fieldstone.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.TransformSlices;
import io.fieldstone.engine.TransformSlices.Symmetry;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What symmetries do to low parts: of each orbit one is counted, for all. They are left aside where
 * they save little.
 *
 * @param symmetries those that are used; none if each low part is an orbit of its own
 * @param count of orbits
 */
record LowOrbits(List<Symmetry> symmetries, int lowBits, long count) {

  /** Columns of the map of a symmetry, whatever the number of low bits. */
  private static final int COLUMNS = 32;

  /** Images, of which orbits may repeat some, to low parts: where there are more, most repeat. */
  private static final int MOST_IMAGES = 2;

  /** Finds the orbits on the GPU. */
  static LowOrbits find(Gpu gpu, TransformKernels kernels, TransformSlices transform) {
    List<Symmetry> symmetries = transform.symmetries();
    int lowBits = transform.lowBits();
    LowOrbits none = new LowOrbits(List.of(), lowBits, 1L << lowBits);
    if (symmetries.size() == 1 || !kernels.hasRoom(symmetries.size())) {
      return none;
    }
    LowOrbits all = new LowOrbits(symmetries, lowBits, none.count());
    long count = all.countOn(gpu, kernels);
    return count * symmetries.size() <= MOST_IMAGES * none.count()
        ? new LowOrbits(symmetries, lowBits, count)
        : none;
  }

  private long countOn(Gpu gpu, TransformKernels kernels) {
    Workspace workspace = new Workspace();
    long maps = workspace.device(mapBytes());
    long counted = workspace.device(Long.BYTES);
    long writtenMaps = workspace.pinned(mapBytes());
    long read = workspace.pinned(Long.BYTES);
    long[] count = new long[1];
    gpu.lanes()
        .useOne(
            workspace,
            lane -> {
              MemorySegment written = lane.pinned(writtenMaps, mapBytes());
              writeMaps(written);
              lane.stream().upload(written, lane.device(maps));
              kernels.orbits(lane, lane.device(maps), 0, lane.device(counted), symmetries.size());
              lane.stream().download(lane.device(counted), lane.pinned(read, Long.BYTES));
              lane.stream().synchronize();
              count[0] = lane.pinned(read, Long.BYTES).get(JAVA_LONG, 0);
            });
    return count[0];
  }

  boolean areUsed() {
    return !symmetries.isEmpty();
  }

  /** Maps that a low part has: its own, if no symmetries are used. */
  int images() {
    return Math.max(1, symmetries.size());
  }

  /** Bytes of the maps of all symmetries. */
  long mapBytes() {
    return (long) symmetries.size() * COLUMNS * Integer.BYTES;
  }

  /** Writes a row of columns for each symmetry. */
  void writeMaps(MemorySegment to) {
    to.fill((byte) 0);
    for (int i = 0; i < symmetries.size(); i++) {
      for (int bit = 0; bit < lowBits; bit++) {
        to.setAtIndex(JAVA_INT, (long) i * COLUMNS + bit, symmetries.get(i).low().get(bit));
      }
    }
  }

  /** What a symmetry makes of the high part of a slice's functional, for each of them. */
  short[] functionals(int functional) {
    short[] images = new short[images()];
    images[0] = (short) functional;
    for (int i = 0; i < symmetries.size(); i++) {
      images[i] = (short) symmetries.get(i).transposed(functional);
    }
    return images;
  }
}
