package io.fieldstone.rlnc.window;

import io.fieldstone.field.Gf256;
import io.fieldstone.field.Gf256Matrix;
import io.fieldstone.field.Gf256Matrix.RowEchelon;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a decoder can know: it keeps every equation since the beginning, and solves the whole system
 * with scalar matrices.
 */
final class WindowOracle {

  /** What a decoder delivers. */
  record Event(long id, boolean isPacket) {}

  private final int window;
  private final boolean ordered;
  private final List<Event> events = new ArrayList<>();
  private final SortedSet<Long> known = new TreeSet<>();
  private final SortedSet<Long> received = new TreeSet<>();

  /** Coefficients by id. */
  private final List<Map<Long, Integer>> equations = new ArrayList<>();

  private long first;
  private long end;
  private long next;
  private long decided;
  private long lost;

  WindowOracle(int window, boolean ordered, long first) {
    this.window = window;
    this.ordered = ordered;
    this.first = first;
    this.end = first;
    this.next = first;
  }

  List<Event> events() {
    return events;
  }

  Reception source(long id) {
    if (id < first) {
      return Reception.LATE;
    }
    extend(id + 1);
    received.add(id);
    if (!known.add(id)) {
      return Reception.REDUNDANT;
    }
    learn(id);
    solve();
    return Reception.INNOVATIVE;
  }

  Reception combined(long from, byte[] vector) {
    extend(from + vector.length);
    Map<Long, Integer> equation = new TreeMap<>();
    for (int i = 0; i < vector.length; i++) {
      if (vector[i] != 0) {
        equation.put(from + i, Byte.toUnsignedInt(vector[i]));
      }
    }
    for (long id : equation.keySet()) {
      if (id < first) {
        deliver();
        return Reception.LATE;
      }
    }
    int rank = reduced().pivotColumns().size();
    equations.add(equation);
    boolean isInnovative = reduced().pivotColumns().size() > rank;
    if (!isInnovative) {
      equations.removeLast();
    }
    solve();
    return isInnovative ? Reception.INNOVATIVE : Reception.REDUNDANT;
  }

  void expire(long firstWanted) {
    if (firstWanted > next) {
      extend(firstWanted);
      giveUp(firstWanted);
      deliver();
    }
  }

  Acknowledgement acknowledgement() {
    int unknown = 0;
    for (long id = next; id < end; id++) {
      unknown += known.contains(id) ? 0 : 1;
    }
    List<Long> columns = unknowns();
    int independent = 0;
    for (int column : reduced().pivotColumns()) {
      independent += columns.get(column) >= next ? 1 : 0;
    }
    return new Acknowledgement(next, end, unknown - independent, decided, lost);
  }

  private void extend(long newEnd) {
    if (newEnd <= end) {
      return;
    }
    long newFirst = Math.max(first, newEnd - window);
    giveUp(newFirst);
    for (long id = first; id < newFirst; id++) {
      decided++;
      lost += received.contains(id) ? 0 : 1;
    }
    first = newFirst;
    end = newEnd;
  }

  private void giveUp(long until) {
    for (; next < until; next++) {
      if (!known.contains(next)) {
        events.add(new Event(next, false));
      } else if (ordered) {
        events.add(new Event(next, true));
      }
    }
  }

  private void learn(long id) {
    if (!ordered && id >= next) {
      events.add(new Event(id, true));
    }
  }

  private void deliver() {
    for (; known.contains(next); next++) {
      if (ordered) {
        events.add(new Event(next, true));
      }
    }
  }

  /** Returns the unknowns of all equations, ascending. */
  private List<Long> unknowns() {
    SortedSet<Long> ids = new TreeSet<>();
    equations.forEach(equation -> ids.addAll(equation.keySet()));
    ids.removeAll(known);
    return List.copyOf(ids);
  }

  private RowEchelon reduced() {
    List<Long> columns = unknowns();
    Map<Long, Integer> numbers = new HashMap<>();
    for (long id : columns) {
      numbers.put(id, numbers.size());
    }
    byte[] entries = new byte[equations.size() * columns.size()];
    for (int row = 0; row < equations.size(); row++) {
      int at = row * columns.size();
      equations
          .get(row)
          .forEach((id, coefficient) -> {
            Integer column = numbers.get(id);
            if (column != null) {
              entries[at + column] = coefficient.byteValue();
            }
          });
    }
    return Gf256Matrix.of(Gf256.DEFAULT, equations.size(), columns.size(), entries).rowReduce();
  }

  private void solve() {
    List<Long> columns = unknowns();
    RowEchelon reduced = reduced();
    List<Long> solved = new ArrayList<>();
    for (int row = 0; row < reduced.pivotColumns().size(); row++) {
      int nonzero = 0;
      for (int column = 0; column < columns.size(); column++) {
        nonzero += reduced.form().get(row, column) == 0 ? 0 : 1;
      }
      long id = columns.get(reduced.pivotColumns().get(row));
      if (nonzero == 1 && id >= first) {
        solved.add(id);
      }
    }
    known.addAll(solved);
    equations.removeIf(equation -> known.containsAll(equation.keySet()));
    solved.forEach(this::learn);
    deliver();
  }
}
