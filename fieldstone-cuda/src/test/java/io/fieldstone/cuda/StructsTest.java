package io.fieldstone.cuda;

import io.fieldstone.cuda.sorting.SortTwins;
import io.fieldstone.cuda.stars.StarTwins;
import io.fieldstone.cuda.weights.WeightTwins;
import java.lang.foreign.StructLayout;
import java.util.HashMap;
import java.util.Map;

/** Compares the descriptions of this module's structs. */
class StructsTest extends StructsContract {

  @Override
  protected Map<String, Class<? extends Record>> records() {
    Map<String, Class<? extends Record>> records = new HashMap<>(SortTwins.structs());
    records.putAll(StarTwins.structs());
    records.putAll(WeightTwins.structs());
    return records;
  }

  @Override
  protected Map<String, StructLayout> layouts() {
    Map<String, StructLayout> layouts = new HashMap<>(SortTwins.layouts());
    layouts.putAll(WeightTwins.layouts());
    return layouts;
  }
}
