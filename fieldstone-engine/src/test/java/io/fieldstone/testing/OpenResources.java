package io.fieldstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineFailedException;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.engine.coding.Eliminations;
import io.fieldstone.engine.coding.ProgressiveElimination;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.engine.memory.HostMemory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** An engine that counts its open resources, and can fail to make one of them. */
public final class OpenResources {

  private static final List<Class<?>> TYPES =
      List.of(ResidentBlocks.class, HostMemory.class, Basis.class);

  private final List<Object> open = new ArrayList<>();
  private final int refused;
  private int made;

  private OpenResources(int refused) {
    this.refused = refused;
  }

  /**
   * Checks that a constructor leaves nothing open, whichever resource the engine fails to make.
   * Closing the object must leave nothing open either.
   */
  public static void assertNoneLeft(
      Engine engine, Function<Engine, ? extends AutoCloseable> constructor) throws Exception {
    boolean isRefused = true;
    for (int refused = 0; isRefused; refused++) {
      OpenResources resources = new OpenResources(refused);
      try (AutoCloseable _ = constructor.apply(resources.watched(Engine.class, engine))) {
        isRefused = false;
        assertThat(resources.open).isNotEmpty();
      } catch (EngineFailedException _) {
        // Refused.
      }
      assertThat(resources.open).as("without resource %d", refused).isEmpty();
    }
  }

  private <T> T watched(Class<T> type, Object target) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          Class<?> made = method.getReturnType();
          if (made == ProgressiveElimination.class) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
          }
          if (made == Eliminations.class) {
            return watched(made, invoke(target, method, arguments));
          }
          if (TYPES.contains(made)) {
            return made(made, target, method, arguments);
          }
          if (method.getName().equals("close")) {
            open.remove(target);
          }
          return invoke(target, method, arguments);
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object made(Class<?> type, Object target, Method method, Object[] arguments)
      throws Throwable {
    if (made == refused) {
      throw new EngineFailedException("refused", new IllegalStateException());
    }
    made++;
    Object resource = invoke(target, method, arguments);
    open.add(resource);
    return watched(type, resource);
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
