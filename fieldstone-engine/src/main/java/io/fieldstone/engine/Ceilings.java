package io.fieldstone.engine;

import java.util.List;

/**
 * An optional port for benchmarks: measures the upper limits of the hardware behind an engine. An
 * engine that only the memory and the cores of this machine limit does not have it.
 */
public interface Ceilings {

  /** Measures the limits, which takes seconds. */
  List<Ceiling> measure();
}
