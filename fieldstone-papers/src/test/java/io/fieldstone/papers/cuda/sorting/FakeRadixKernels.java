package io.fieldstone.papers.cuda.sorting;

import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.ALL;
import static io.fieldstone.cuda.GpuMemory.int64;
import static io.fieldstone.cuda.GpuMemory.set;

import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.sorting.FakeSortKernels.Keys;
import io.fieldstone.papers.cuda.sorting.RadixSteps.Step;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** The kernels of sort_steps.cu in Java. */
public final class FakeRadixKernels {

  private FakeRadixKernels() {}

  /** Returns the records that describe structs, by the names of the CUDA source. */
  public static Map<String, Class<? extends Record>> structs() {
    return Map.of("SortStepArguments", Step.class);
  }

  /** Registers the kernels with a driver. */
  public static FakeDriver register(FakeDriver driver) {
    for (int key = 1; key <= 2; key++) {
      for (boolean floating : new boolean[] {false, true}) {
        Keys keys = new Keys(key, floating);
        String suffix = floating ? "_floating" : "";
        driver.kernel(
            "sort_reduce_" + key + suffix,
            Struct.bytes(Step.class),
            (shape, struct) -> steps(keys, shape, struct).reduce());
        for (int words = key; words <= key + 2; words++) {
          driver.kernel(
              "sort_scatter_%d_%d%s".formatted(key, words, suffix),
              Struct.bytes(Step.class),
              (shape, struct) -> steps(keys, shape, struct).scatter());
        }
      }
    }
    return driver.kernel(
        "sort_spine",
        Struct.bytes(Step.class),
        (_, struct) -> spine(Struct.read(struct, Step.class)));
  }

  private static Steps steps(Keys keys, LaunchShape shape, MemorySegment struct) {
    Step a = Struct.read(struct, Step.class);
    require(shape.gridX() == a.blocks() && shape.blockX() == 256, "the launch");
    return new Steps(keys, 4L * a.words(), a);
  }

  /** A pass in steps. */
  private record Steps(Keys keys, long itemBytes, Step a) {

    private static final int BINS = 16;
    private static final int TILE = 2048;

    /** Returns the address of the count or place of an item's bin in its block. */
    private long place(long i) {
      long share = Math.ceilDiv(Math.ceilDiv(a.count(), TILE), a.blocks()) * TILE;
      long key = keys.bitOrdered(keys.key(a.from() + itemBytes * i), a.flip());
      long bin = key >>> a.shift() & (BINS - 1);
      return a.places() + Long.BYTES * (bin * a.blocks() + i / share);
    }

    void reduce() {
      for (int i = 0; i < BINS * a.blocks(); i++) {
        set(a.places() + (long) Long.BYTES * i, 0L);
      }
      for (long i = 0; i < a.count(); i++) {
        set(place(i), int64(place(i)) + 1);
      }
    }

    void scatter() {
      for (long i = 0; i < a.count(); i++) {
        long next = int64(place(i));
        set(place(i), next + 1);
        MemorySegment.copy(
            ALL, a.from() + itemBytes * i, ALL, a.to() + itemBytes * next, itemBytes);
      }
    }
  }

  private static void spine(Step a) {
    long place = 0;
    for (int i = 0; i < Steps.BINS * a.blocks(); i++) {
      long at = a.places() + (long) Long.BYTES * i;
      long counted = int64(at);
      set(at, place);
      place += counted;
    }
    require(place == a.count(), "all items are counted once");
  }
}
