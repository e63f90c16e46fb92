package io.fieldstone.cuda;

import io.fieldstone.cuda.checksums.FakeSieveKernels;
import io.fieldstone.cuda.sorting.FakeSortKernels;
import io.fieldstone.cuda.stars.FakeStarKernels;
import io.fieldstone.cuda.terrain.FakeSightKernel;
import io.fieldstone.cuda.weights.FakeWeightKernels;
import java.lang.foreign.StructLayout;
import java.util.HashMap;
import java.util.Map;

/** Compares the descriptions of this module's structs. */
class StructsTest extends StructsContract {

  @Override
  protected Map<String, Class<? extends Record>> records() {
    Map<String, Class<? extends Record>> records = new HashMap<>(FakeSortKernels.structs());
    records.putAll(FakeSieveKernels.structs());
    records.putAll(FakeStarKernels.structs());
    records.putAll(FakeWeightKernels.structs());
    records.putAll(FakeSightKernel.structs());
    return records;
  }

  @Override
  protected Map<String, StructLayout> layouts() {
    Map<String, StructLayout> layouts = new HashMap<>(FakeSortKernels.layouts());
    layouts.putAll(FakeWeightKernels.layouts());
    return layouts;
  }
}
