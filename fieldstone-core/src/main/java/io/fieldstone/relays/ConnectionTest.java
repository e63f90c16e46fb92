package io.fieldstone.relays;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tests the connectivity of plans with code independent of the planner: a table of squares, and a
 * graph traversal.
 *
 * <p>The coordinates of relays are rounded to doubles. So a link of a relay may exceed R by {@link
 * #TOLERANCE}; a link between sensors may not.
 */
public final class ConnectionTest {

  /** The tolerance of a relay's distance, relative to R. */
  public static final double TOLERANCE = 1e-9;

  /** A bound of the rounding error of a distance: sensors exactly R apart are linked. */
  private static final double ROUNDING = 8 * Math.ulp(1.0);

  private final SensorField field;
  private final List<Relay> relays;
  private final double range;
  private final Map<Square, List<Integer>> squares = new HashMap<>();

  /** A square of the plane, slightly wider than the range. */
  private record Square(long column, long row) {}

  /** Creates a test of relays among sensors. */
  public ConnectionTest(SensorField field, List<Relay> relays, double range) {
    this.field = field;
    this.relays = List.copyOf(relays);
    this.range = range;
    for (int node = 0; node < nodes(); node++) {
      squares.computeIfAbsent(square(node), _ -> new ArrayList<>()).add(node);
    }
  }

  /** Returns the number of networks: 1 if all sensors and relays are connected. */
  public int networks() {
    boolean[] reached = new boolean[nodes()];
    int networks = 0;
    for (int start = 0; start < nodes(); start++) {
      if (!reached[start]) {
        networks++;
        walk(start, reached);
      }
    }
    return networks;
  }

  private void walk(int start, boolean[] reached) {
    Deque<Integer> open = new ArrayDeque<>(List.of(start));
    reached[start] = true;
    while (!open.isEmpty()) {
      int node = open.remove();
      Square own = square(node);
      for (long column = own.column() - 1; column <= own.column() + 1; column++) {
        for (long row = own.row() - 1; row <= own.row() + 1; row++) {
          for (int other : squares.getOrDefault(new Square(column, row), List.of())) {
            if (!reached[other] && linked(node, other)) {
              reached[other] = true;
              open.add(other);
            }
          }
        }
      }
    }
  }

  private boolean linked(int a, int b) {
    double dx = x(a) - x(b);
    double dy = y(a) - y(b);
    boolean sensors = a < field.size() && b < field.size();
    double reach = range * (1 + (sensors ? ROUNDING : TOLERANCE));
    return dx * dx + dy * dy <= reach * reach;
  }

  private Square square(int node) {
    double side = range * (1 + 2 * TOLERANCE);
    return new Square((long) Math.floor(x(node) / side), (long) Math.floor(y(node) / side));
  }

  private int nodes() {
    return field.size() + relays.size();
  }

  private double x(int node) {
    return node < field.size() ? field.x(node) : relays.get(node - field.size()).x();
  }

  private double y(int node) {
    return node < field.size() ? field.y(node) : relays.get(node - field.size()).y();
  }
}
