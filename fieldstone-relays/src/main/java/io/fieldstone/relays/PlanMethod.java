package io.fieldstone.relays;

/** The methods of placing relays. */
public enum PlanMethod {

  /**
   * Relays along the edges of a minimum spanning tree, ⌈length / R⌉ − 1 on each, equally spaced
   * (the paper, II-C). The number is at most 5 times the optimum.
   */
  SPANNING_TREE,

  /**
   * First a relay for each 3-star of three groups in order of discovery, then the spanning tree
   * (the paper, II-C). The number is at most 3 times the optimum.
   */
  THREE_STARS,

  /**
   * First stars of three or more groups, selected by local search for the maximum saving. Then
   * stars that include placed relays. What is still apart is joined by the spanning tree of sensors
   * and relays, or by a tree that branches between them, whichever takes fewer relays. Finally,
   * redundant relays are removed. If {@link #THREE_STARS} needs fewer relays, its plan is used.
   */
  BEST_STARS
}
