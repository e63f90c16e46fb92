package io.fieldstone.engine.memory;

import java.lang.foreign.MemorySegment;

/**
 * Determines whether this library may use native memory by address and call functions of C. The JVM
 * denies it with {@code --illegal-native-access=deny}, unless {@code --enable-native-access} names
 * the module of the caller. Without these options it permits it with a warning. Thread-safe.
 */
public final class NativeAccess {

  private NativeAccess() {}

  /** Returns whether the JVM denies native access. */
  public static boolean isDenied() {
    return Holder.IS_DENIED;
  }

  /** Returns the reason, and the option of the JVM that permits native access. */
  public static String reason() {
    Module module = NativeAccess.class.getModule();
    return "the JVM denies native access; --enable-native-access=%s permits it"
        .formatted(module.isNamed() ? module.getName() : "ALL-UNNAMED");
  }

  /** Asks the JVM when native access is first needed. */
  private static final class Holder {
    static final boolean IS_DENIED = isRefused();

    private static boolean isRefused() {
      try {
        MemorySegment _ = MemorySegment.NULL.reinterpret(1);
        return false;
      } catch (IllegalCallerException denied) {
        return true;
      }
    }
  }
}
