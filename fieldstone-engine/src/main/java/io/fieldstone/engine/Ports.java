package io.fieldstone.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The ports of an engine by type, for {@link Engine#find}. Immutable; thread-safe if the suppliers
 * are.
 *
 * {@snippet :
 * private final Ports ports = Ports.of(Sorts.class, () -> sorts).with(ByteMemory.class, () -> memory);
 *
 * @Override
 * public <P> Optional<P> find(Class<P> port) {
 *   return ports.find(port);
 * }
 * }
 */
public final class Ports {

  private final Map<Class<?>, Supplier<?>> suppliers;

  private Ports(Map<Class<?>, Supplier<?>> suppliers) {
    this.suppliers = suppliers;
  }

  /**
   * Returns a single port.
   *
   * @param type the interface of the port
   * @param port called each time that the port is asked for; so an engine can make it late
   */
  public static <P> Ports of(Class<P> type, Supplier<? extends P> port) {
    return new Ports(Map.of(type, port));
  }

  /**
   * Returns these ports with another.
   *
   * @param type the interface of the port
   * @param port called each time that the port is asked for
   * @throws IllegalArgumentException if there is a port of this type
   */
  public <P> Ports with(Class<P> type, Supplier<? extends P> port) {
    Map<Class<?>, Supplier<?>> more = new HashMap<>(suppliers);
    if (more.put(type, port) != null) {
      throw new IllegalArgumentException("two ports " + type.getSimpleName());
    }
    return new Ports(more);
  }

  /** Returns the port of a type, or empty if there is none. */
  public <P> Optional<P> find(Class<P> type) {
    return Optional.ofNullable(suppliers.get(type)).map(port -> type.cast(port.get()));
  }
}
