package io.fieldstone.relays;

/** How relays are placed. */
public enum PlanMethod {

  /**
   * Along the edges of a minimum spanning tree, ⌈length / R⌉ − 1 on each, equally spaced (the
   * paper, II-C): at most 5 times as many as needed.
   */
  SPANNING_TREE,

  /**
   * First a relay for each 3-star of three groups, as they are found, then the spanning tree (the
   * paper, II-C): at most 3 times as many as needed.
   */
  THREE_STARS,

  /**
   * First stars, of three groups and of more, so chosen by local search that they save most; then
   * those that become possible by relays that stand already; then the spanning tree of sensors and
   * relays; in the end relays that nothing depends on are taken away. Never more than {@link
   * #THREE_STARS}: if it were, that is the plan.
   */
  BEST_STARS
}
