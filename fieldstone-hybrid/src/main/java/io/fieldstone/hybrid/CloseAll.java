package io.fieldstone.hybrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Opens and closes resources together. */
final class CloseAll {

  private CloseAll() {}

  /** Opens all resources; if one fails, closes the others and rethrows. */
  static <T> List<T> openAll(int count, IntFunction<? extends T> open, Consumer<? super T> close) {
    List<T> opened = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        opened.add(open.apply(i));
      }
      return opened;
    } catch (RuntimeException | Error e) {
      try {
        closeAll(opened, close);
      } catch (RuntimeException | Error failure) {
        e.addSuppressed(failure);
      }
      throw e;
    }
  }

  /** Closes all resources, even if some fail, and throws the first failure. */
  static <T> void closeAll(List<T> opened, Consumer<? super T> close) {
    Optional<Throwable> failure = Optional.empty();
    for (T each : opened) {
      try {
        close.accept(each);
      } catch (RuntimeException | Error e) {
        failure.ifPresent(first -> first.addSuppressed(e));
        failure = failure.or(() -> Optional.of(e));
      }
    }
    switch (failure.orElse(null)) {
      case null -> {}
      case Error error -> throw error;
      case Throwable exception -> throw (RuntimeException) exception;
    }
  }
}
