package io.fieldstone.cuda.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checks that a launch allocates no Java objects. */
class LaunchCostTest {
  private static final int LAUNCHES = 10_000;
  private static final int BATCHES = 100;

  /** Returns a driver whose functions are all C's sched_yield: they succeed without effect. */
  @Test
  void allocatesNothing() {
    MemorySegment nothing = Linker.nativeLinker().defaultLookup().findOrThrow("sched_yield");
    try (var fake = new FakeDriver(1);
        Arena arena = Arena.ofConfined()) {
      SymbolLookup symbols =
          name ->
              name.equals("cuDeviceGetCount") ? fake.symbols().find(name) : Optional.of(nothing);
      var driver = ((DriverStatus.Present) Driver.of(symbols)).driver();
      Context context = driver.devices().getFirst().open();
      Stream stream = context.stream();
      Function function = context.load(arena.allocate(8)).function(Proof.NAME);
      LaunchShape shape = LaunchShape.of(1, 32);
      MemorySegment struct = arena.allocate(Proof.BYTES);

      var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long least = Long.MAX_VALUE;
      // The first batches pay for the JIT compiler's work.
      for (int batch = 0; batch < BATCHES && least > 0; batch++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int launch = 0; launch < LAUNCHES; launch++) {
          stream.launch(function, shape, struct);
        }
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(least).isZero();
      context.close();
    }
  }
}
