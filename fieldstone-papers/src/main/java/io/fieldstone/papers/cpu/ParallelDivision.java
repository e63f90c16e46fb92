package io.fieldstone.papers.cpu;

import io.fieldstone.cpu.checksums.DivisionMethods.Named;
import io.fieldstone.cpu.checksums.NamedDivisions;
import java.util.List;

/** Adds method {@code parallel}, the algorithm of PCRC on the cores. */
public final class ParallelDivision implements NamedDivisions {

  /** For the service loader. */
  public ParallelDivision() {}

  @Override
  public List<Named> methods() {
    return List.of(new Named("parallel", _ -> true, ParallelKernel::new));
  }
}
