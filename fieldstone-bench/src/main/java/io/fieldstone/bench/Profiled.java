package io.fieldstone.bench;

import io.fieldstone.stream.StageProfile;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one method spent its time on.
 *
 * @param phases each kind of work, all places together
 * @param totalMs from the call to its return
 */
record Profiled(List<StageProfile> phases, double totalMs) {

  private static final double NS_PER_MS = 1e6;

  /** How long it was busy with a phase, in milliseconds; empty if it has none of that name. */
  Cell busyMs(String phase) {
    return phases.stream()
        .filter(one -> one.name().equals(phase))
        .findFirst()
        .map(one -> Cell.of(one.busyNs() / NS_PER_MS))
        .orElseGet(Cell::empty);
  }

  /** The names of all phases of methods. */
  static Set<String> phases(Collection<Profiled> methods) {
    Set<String> names = new LinkedHashSet<>();
    methods.forEach(method -> method.phases().forEach(phase -> names.add(phase.name())));
    return names;
  }
}
