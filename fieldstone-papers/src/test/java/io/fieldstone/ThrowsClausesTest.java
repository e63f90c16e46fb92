package io.fieldstone;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.ThrowsDeclaration;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A caller must handle each checked exception that a method declares. So a public method with a
 * body declares only those that it makes, or that a method declares which it calls.
 */
@AnalyzeClasses(
    packages = {
      "io.fieldstone.chart",
      "io.fieldstone.conformance",
      "io.fieldstone.crc",
      "io.fieldstone.engine",
      "io.fieldstone.field",
      "io.fieldstone.map",
      "io.fieldstone.net.carrier",
      "io.fieldstone.net.endpoint",
      "io.fieldstone.net.fetch",
      "io.fieldstone.net.relay",
      "io.fieldstone.net.server",
      "io.fieldstone.net.trust",
      "io.fieldstone.plane",
      "io.fieldstone.relays",
      "io.fieldstone.rlnc",
      "io.fieldstone.sort",
      "io.fieldstone.stream",
      "io.fieldstone.weights"
    },
    importOptions = {DoNotIncludeTests.class, ArchitectureTest.NoJarsOfTests.class})
class ThrowsClausesTest {

  private static final Set<JavaModifier> WITHOUT_BODY =
      Set.of(JavaModifier.ABSTRACT, JavaModifier.NATIVE, JavaModifier.SYNTHETIC);

  @ArchTest
  static void everyDeclaredExceptionCanOccur(JavaClasses classes) {
    List<String> impossible = new ArrayList<>();
    classes.stream()
        .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
        .flatMap(each -> each.getCodeUnits().stream())
        .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC))
        .filter(unit -> unit.getModifiers().stream().noneMatch(WITHOUT_BODY::contains))
        .forEach(unit ->
            unit.getThrowsClause().getTypes().stream()
                .filter(ThrowsClausesTest::isChecked)
                .filter(type -> sources(unit).noneMatch(source -> areRelated(type, source)))
                .forEach(type ->
                    impossible.add(unit.getFullName() + " throws " + type.getSimpleName())));
    assertThat(impossible).isEmpty();
    assertThat(classes.contain("io.fieldstone.rlnc.file.FileEncoder")).isTrue();
  }

  /** Returns the exceptions that a body makes, reads from fields, or may get of what it calls. */
  private static Stream<JavaClass> sources(JavaCodeUnit unit) {
    Stream<JavaClass> made =
        unit.getConstructorCallsFromSelf().stream().map(call -> call.getTargetOwner());
    Stream<JavaClass> returned =
        unit.getMethodCallsFromSelf().stream().map(call -> call.getTarget().getRawReturnType());
    Stream<JavaClass> read =
        unit.getFieldAccesses().stream().map(access -> access.getTarget().getRawType());
    Stream<JavaClass> declared =
        Stream.concat(
                unit.getMethodCallsFromSelf().stream(), unit.getConstructorCallsFromSelf().stream())
            .flatMap(call -> call.getTarget().getThrowsClause().stream())
            .map(ThrowsDeclaration::getRawType);
    return Stream.of(made, returned, read, declared).flatMap(each -> each);
  }

  private static boolean areRelated(JavaClass type, JavaClass source) {
    if (source.isPrimitive()) {
      return false;
    }
    Class<?> other = source.reflect();
    return Throwable.class.isAssignableFrom(other)
        && (other.isAssignableFrom(type.reflect()) || type.reflect().isAssignableFrom(other));
  }

  private static boolean isChecked(JavaClass type) {
    return !RuntimeException.class.isAssignableFrom(type.reflect())
        && !Error.class.isAssignableFrom(type.reflect());
  }
}
