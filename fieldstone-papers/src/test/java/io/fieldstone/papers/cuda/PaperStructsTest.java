package io.fieldstone.papers.cuda;

import io.fieldstone.cuda.StructsContract;
import io.fieldstone.papers.cuda.sorting.FakeRadixKernels;
import io.fieldstone.papers.cuda.stars.FakeCellKernels;
import java.lang.foreign.StructLayout;
import java.util.HashMap;
import java.util.Map;

/** Compares the descriptions of this module's structs. */
class PaperStructsTest extends StructsContract {

  @Override
  protected Map<String, Class<? extends Record>> records() {
    Map<String, Class<? extends Record>> records = new HashMap<>(FakeCellKernels.structs());
    records.putAll(FakeRadixKernels.structs());
    return records;
  }

  @Override
  protected Map<String, StructLayout> layouts() {
    return FakeCellKernels.layouts();
  }
}
