package io.fieldstone.concurrent;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made when it is first needed. Thread-safe.
 *
 * @param <T> type of the value
 */
public final class Lazy<T> implements Supplier<T> {

  private final Supplier<? extends T> maker;

  /** Guarded by this for writing. */
  private volatile @Nullable T made;

  /** Creates a value that is not made yet. */
  public Lazy(Supplier<? extends T> maker) {
    this.maker = maker;
  }

  /** Returns the value, which the first call makes. */
  @Override
  public T get() {
    T value = made;
    return value == null ? make() : value;
  }

  private synchronized T make() {
    T value = made;
    if (value == null) {
      value = maker.get();
      made = value;
    }
    return value;
  }

  /** Returns the value if it has been made. */
  public Optional<T> ifMade() {
    return Optional.ofNullable(made);
  }
}
