package io.fieldstone.cpu.checksums;

import java.util.List;

/**
 * Adds methods of division that a caller can name. A module registers its class under {@code
 * META-INF/services}; it is read when a method is named or listed.
 */
public interface NamedDivisions {

  /** Returns the methods. */
  List<DivisionMethods.Named> methods();
}
