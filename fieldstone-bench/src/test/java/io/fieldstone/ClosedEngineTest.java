package io.fieldstone;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.fieldstone.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Constructors and factories that take an engine refuse a closed one first. */
@AnalyzeClasses(packages = "io.fieldstone", importOptions = DoNotIncludeTests.class)
class ClosedEngineTest {

  private static final String[] PACKAGES = {
    "io.fieldstone.rlnc..",
    "io.fieldstone.crc..",
    "io.fieldstone.weights..",
    "io.fieldstone.sort..",
    "io.fieldstone.relays..",
    "io.fieldstone.net..",
    "io.fieldstone.conformance.."
  };

  @ArchTest
  static void makersRefuseAClosedEngine(JavaClasses classes) {
    Engine closed = Engine.open("cpu:scalar");
    closed.close();
    List<Executable> makers = makers(classes);
    assertThat(makers)
        .extracting(maker -> maker.getDeclaringClass().getSimpleName())
        .contains(
            "BatchEncoder",
            "Crc",
            "Decoder",
            "Encoder",
            "Fetch",
            "FileSorter",
            "JointWeights",
            "ObjectReceiver",
            "RadixSort",
            "Recoder",
            "Relay",
            "RelayPlanner",
            "Server",
            "ThreeStarSearch");
    assertThat(makers)
        .allSatisfy(maker ->
            assertThatThrownBy(() -> call(maker, arguments(maker, closed)))
                .as("%s", maker)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the engine is closed"));
  }

  /** Returns each public constructor, and each public factory, that takes an engine. */
  private static List<Executable> makers(JavaClasses classes) {
    return classes.that(resideInAnyPackage(PACKAGES)).stream()
        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .map(JavaClass::reflect)
        .flatMap(ClosedEngineTest::makers)
        .filter(maker -> Arrays.asList(maker.getParameterTypes()).contains(Engine.class))
        .toList();
  }

  private static Stream<Executable> makers(Class<?> type) {
    Stream<Executable> factories =
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> Modifier.isStatic(method.getModifiers()))
            .filter(method -> method.getReturnType().getName().startsWith("io.fieldstone."))
            .map(Executable.class::cast);
    return Stream.concat(Arrays.stream(type.getDeclaredConstructors()), factories)
        .filter(maker -> Modifier.isPublic(maker.getModifiers()));
  }

  private static @Nullable Object[] arguments(Executable maker, Engine engine) {
    return Arrays.stream(maker.getParameterTypes())
        .map(type -> type == Engine.class ? engine : argument(type))
        .toArray();
  }

  /** Returns an argument that is never used, except to make another of it. */
  private static @Nullable Object argument(Class<?> type) {
    if (type.isPrimitive()) {
      return Array.get(Array.newInstance(type, 1), 0);
    }
    if (type == byte[].class) {
      return new byte[0];
    }
    if (type == ByteBuffer.class) {
      return ByteBuffer.allocate(0);
    }
    if (type == MemorySegment.class) {
      return MemorySegment.NULL;
    }
    if (type == String.class) {
      return "";
    }
    return type == List.class ? List.of() : null;
  }

  private static Object call(Executable maker, @Nullable Object[] arguments) throws Throwable {
    try {
      return maker instanceof Constructor<?> constructor
          ? constructor.newInstance(arguments)
          : ((Method) maker).invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
