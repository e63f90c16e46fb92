package io.fieldstone.engine.memory;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * Determines whether this library may use native memory by address and call functions of C. The JVM
 * denies it with {@code --illegal-native-access=deny}, unless {@code --enable-native-access} names
 * the module of the caller. Without these options it permits it with a warning. Thread-safe.
 */
public final class NativeAccess {

  private static final String OPTION = "--illegal-native-access=";

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

  private static final class Holder {
    static final boolean IS_DENIED = isDenied();

    /** The last version of Java that is known to permit access without an option. */
    private static final int LAST_THAT_PERMITS = 25;

    /**
     * Reads the options of the JVM first: where it permits access with a warning, a call that finds
     * it out would print that warning, also for jobs that need no native access.
     */
    private static boolean isDenied() {
      if (NativeAccess.class.getModule().isNativeAccessEnabled()) {
        return false;
      }
      return option()
          .map("deny"::equals)
          .orElseGet(() -> Runtime.version().feature() > LAST_THAT_PERMITS && isRefused());
    }

    private static Optional<String> option() {
      try {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith(OPTION))
            .reduce((_, last) -> last)
            .map(argument -> argument.substring(OPTION.length()));
      } catch (LinkageError _) {
        return Optional.empty(); // this runtime has no module java.management
      }
    }

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
