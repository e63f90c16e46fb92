package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.HostMemory;
import java.lang.foreign.MemorySegment.Scope;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SharedAllocationsTest {

  private static final int MANY = 1000;
  private static final long ANY = Long.MAX_VALUE;

  @AutoClose private final Engine engine = Engine.open("cpu:scalar");
  private final SharedAllocations allocations =
      new SharedAllocations(engine::allocateHost, 1 << 16);

  private List<HostMemory> allocate(int count, long size, long moreBytes) {
    List<HostMemory> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(allocations.allocate(size, moreBytes));
    }
    return all;
  }

  private static Set<Scope> scopes(List<HostMemory> all) {
    Set<Scope> scopes = new HashSet<>();
    all.forEach(each -> scopes.add(each.segment().scope()));
    return scopes;
  }

  /** Freeing an allocation costs a stop of all threads. */
  @Test
  void equalSizesShareFewAllocations() {
    List<HostMemory> all = allocate(MANY, 80, ANY);
    Set<Scope> scopes = scopes(all);
    assertThat(scopes).hasSizeLessThanOrEqualTo(11);
    assertThat(allocations.bytes()).isBetween(80L * MANY, 2 * 128L * MANY);

    all.forEach(HostMemory::close);
    all.forEach(HostMemory::close);
    assertThat(allocations.bytes()).isZero();
    assertThat(scopes).noneMatch(Scope::isAlive);
  }

  @Test
  void nothingIsSharedBeyondTheBytesThatMayBeAllocated() {
    List<HostMemory> all = allocate(10, 80, 100);
    assertThat(scopes(all)).hasSize(10);
    assertThat(allocations.bytes()).isEqualTo(800);
    all.forEach(HostMemory::close);
    all = allocate(3, 1 << 17, ANY);
    assertThat(scopes(all)).hasSize(3);
    all.forEach(HostMemory::close);
  }

  @Test
  void memoryInUseDoesNotOverlap() {
    Random random = new Random(1);
    List<HostMemory> held = new ArrayList<>();
    List<Byte> values = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      if (held.isEmpty() || random.nextInt(5) > 1) {
        HostMemory memory = allocations.allocate(1 + random.nextInt(4), ANY);
        assertThat(memory.segment().address() % 64).isZero();
        memory.segment().fill((byte) i);
        held.add(memory);
        values.add((byte) i);
      } else {
        int freed = random.nextInt(held.size());
        assertThat(held.get(freed).segment().toArray(ValueLayout.JAVA_BYTE))
            .containsOnly(values.get(freed));
        held.remove(freed).close();
        values.remove(freed);
      }
    }
    held.forEach(HostMemory::close);
    assertThat(allocations.bytes()).isZero();
  }
}
