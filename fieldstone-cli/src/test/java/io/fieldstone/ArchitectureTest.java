package io.fieldstone;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.ArrayList;
import java.util.List;

/**
 * Who may see whom. It stands in the module that sees every other one, so that it reads the whole
 * system; a room that is not built yet passes. Adapters implement the ports of {@code engine} and
 * are found through {@link java.util.ServiceLoader}, which is why no rule lets anyone name one.
 */
@AnalyzeClasses(packages = "io.fieldstone", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] JOBS = {"rlnc", "crc", "weights", "sort", "relays"};
  private static final String[] CORE = {
    "field",
    "plane",
    "concurrent",
    "engine",
    "stream",
    "cpu",
    "hybrid",
    "rlnc",
    "crc",
    "weights",
    "sort",
    "relays"
  };

  @ArchTest static final ArchRule FIELD_SEES_NOTHING = room("field").seesOnly();

  @ArchTest static final ArchRule THE_PLANE_SEES_NOTHING = room("plane").seesOnly();

  @ArchTest
  static final ArchRule ENGINE_SEES_MATHEMATICS = room("engine").seesOnly("field", "plane");

  @ArchTest
  static final ArchRule CONFORMANCE_SEES_PORTS =
      room("conformance").seesOnly("field", "plane", "engine");

  @ArchTest static final ArchRule STREAM_SEES_PORTS = room("stream").seesOnly("field", "engine");

  @ArchTest
  static final ArchRule JOBS_SEE_PORTS_NEVER_ADAPTERS =
      room(JOBS).seesOnly("field", "plane", "engine", "stream");

  @ArchTest
  static final ArchRule CPU_SEES_PORTS =
      room("cpu").seesOnly("field", "plane", "concurrent", "engine");

  @ArchTest
  static final ArchRule HYBRID_SEES_PORTS =
      room("hybrid").seesOnly("field", "concurrent", "engine", "stream");

  @ArchTest
  static final ArchRule CUDA_SEES_PORTS =
      room("cuda").seesOnly("field", "plane", "concurrent", "engine");

  @ArchTest static final ArchRule THE_DRIVER_SEES_NOTHING = room("cuda.driver").seesOnly();

  @ArchTest static final ArchRule NOBODY_NAMES_THE_CPU = isPrivate("cpu");
  @ArchTest static final ArchRule NOBODY_NAMES_HYBRID = isPrivate("hybrid");
  @ArchTest static final ArchRule NOBODY_NAMES_CUDA = isPrivate("cuda");
  @ArchTest static final ArchRule NOBODY_NAMES_THE_COMMAND = isPrivate("cli");

  @ArchTest
  static final ArchRule CORE_NEEDS_ONLY_THE_JDK =
      classes()
          .that(resideInAnyPackage(packages(CORE)))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(packages(CORE))
                  .or(resideInAnyPackage("java..", "jdk.incubator.vector..", "org.jspecify..")))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.fieldstone.(*)..").should().beFreeOfCycles().allowEmptyShould(true);

  /** The rules above pass on rooms that hold nothing, so one test has to see that they read. */
  @ArchTest
  static void readsTheClasses(JavaClasses classes) {
    assertThat(classes.contain("io.fieldstone.cli.Main")).isTrue();
    assertThat(classes.contain("io.fieldstone.cuda.driver.Driver")).isTrue();
  }

  private static Room room(String... names) {
    return new Room(names);
  }

  private static ArchRule isPrivate(String room) {
    return noClasses()
        .that(DescribedPredicate.not(resideInAPackage(packageOf(room))))
        .should()
        .dependOnClassesThat(resideInAPackage(packageOf(room)))
        .allowEmptyShould(true);
  }

  private static String[] packages(String... rooms) {
    return List.of(rooms).stream().map(ArchitectureTest::packageOf).toArray(String[]::new);
  }

  private static String packageOf(String room) {
    return "io.fieldstone." + room + "..";
  }

  /** Rooms that live by one rule; each sees itself, whatever the rule names, and not the others. */
  private record Room(String[] names) {
    ArchRule seesOnly(String... others) {
      List<ArchRule> rules = new ArrayList<>();
      for (String name : names) {
        DescribedPredicate<JavaClass> seen =
            resideInAnyPackage(packages(others)).or(resideInAPackage(packageOf(name)));
        rules.add(
            noClasses()
                .that(resideInAPackage(packageOf(name)))
                .should()
                .dependOnClassesThat(
                    resideInAPackage("io.fieldstone..")
                        .and(DescribedPredicate.not(seen))
                        .as("are in Fieldstone outside " + name + " and " + List.of(others)))
                .allowEmptyShould(true));
      }
      return CompositeArchRule.of(rules);
    }
  }
}
