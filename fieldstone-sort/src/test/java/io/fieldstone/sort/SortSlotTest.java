package io.fieldstone.sort;

import io.fieldstone.engine.Engine;
import io.fieldstone.testing.OpenResources;
import org.junit.jupiter.api.Test;

class SortSlotTest {

  @Test
  void aFailedAllocationFreesThoseBeforeIt() throws Exception {
    try (Engine scalar = Engine.open("cpu:scalar")) {
      OpenResources.assertNoneLeft(scalar, engine -> SortSlot.allocate(engine, 3, 64));
    }
  }
}
