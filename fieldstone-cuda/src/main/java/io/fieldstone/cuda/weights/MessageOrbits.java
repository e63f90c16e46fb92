package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TransformSlices.Symmetry;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The orbits of low message parts under symmetries. One representative of each orbit is counted.
 * Symmetries that save little are not used.
 *
 * @param symmetries that are used; none if each low part is its own orbit
 * @param count of the orbits
 */
record MessageOrbits(List<Symmetry> symmetries, int lowBits, long count) {

  /** Columns of the map of a symmetry, for any number of low bits. */
  static final int COLUMNS = 32;

  /** Maximum images per low part; with more, most images of an orbit are duplicates. */
  private static final int MAX_IMAGES = 2;

  /** Counts the orbits on the GPU and chooses whether to use symmetries. */
  static MessageOrbits find(Gpu gpu, TransformKernels kernels, TransformSlices transform) {
    List<Symmetry> symmetries = transform.symmetries();
    int lowBits = transform.lowBits();
    MessageOrbits none = new MessageOrbits(List.of(), lowBits, 1L << lowBits);
    if (symmetries.size() == 1 || !kernels.canCount(symmetries.size())) {
      return none;
    }
    MessageOrbits orbits = new MessageOrbits(symmetries, lowBits, none.count());
    long count = orbits.countOn(gpu, kernels);
    return count * symmetries.size() <= MAX_IMAGES * none.count()
        ? new MessageOrbits(symmetries, lowBits, count)
        : none;
  }

  private long countOn(Gpu gpu, TransformKernels kernels) {
    ScratchLayout scratch = new ScratchLayout();
    long maps = scratch.device(mapBytes());
    long counted = scratch.device(Long.BYTES);
    long writtenMaps = scratch.pinned(mapBytes());
    long read = scratch.pinned(Long.BYTES);
    long[] count = new long[1];
    gpu.streams()
        .useOne(
            scratch,
            slot -> {
              MemorySegment written = slot.pinned(writtenMaps, mapBytes());
              writeMaps(written);
              slot.stream().upload(written, slot.device(maps));
              kernels.orbits(slot, slot.device(maps), 0, slot.device(counted), symmetries.size());
              slot.stream().download(slot.device(counted), slot.pinned(read, Long.BYTES));
              slot.stream().synchronize();
              count[0] = slot.pinned(read, Long.BYTES).get(JAVA_LONG, 0);
            });
    return count[0];
  }

  boolean areUsed() {
    return !symmetries.isEmpty();
  }

  /** Returns the number of images of a low part: 1 if no symmetries are used. */
  int images() {
    return Math.max(1, symmetries.size());
  }

  /** Returns the size of the maps of all symmetries. */
  long mapBytes() {
    return (long) symmetries.size() * COLUMNS * Integer.BYTES;
  }

  /** Writes the map of each symmetry as a row of columns. */
  void writeMaps(MemorySegment to) {
    to.fill((byte) 0);
    for (int i = 0; i < symmetries.size(); i++) {
      for (int bit = 0; bit < lowBits; bit++) {
        to.setAtIndex(JAVA_INT, (long) i * COLUMNS + bit, symmetries.get(i).low().get(bit));
      }
    }
  }

  /** Returns the images of the high part of a slice's functional under each symmetry. */
  short[] functionals(int functional) {
    short[] images = new short[images()];
    images[0] = (short) functional;
    for (int i = 0; i < symmetries.size(); i++) {
      images[i] = (short) symmetries.get(i).transposed(functional);
    }
    return images;
  }
}
