package io.fieldstone;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which package may depend on which. The test is in the module that depends on all others, so that
 * it reads the whole system. Adapters implement the ports of {@code engine} and are found through
 * {@link java.util.ServiceLoader}, so no other package may name their classes.
 */
@AnalyzeClasses(
    packages = "io.fieldstone",
    importOptions = {DoNotIncludeTests.class, ArchitectureTest.NoJarsOfTests.class})
class ArchitectureTest {

  /** Leaves out the tests of other modules, which are jars after {@code mvn package}. */
  static final class NoJarsOfTests implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  private static final int MAX_TYPES = 45;
  private static final int MAX_LINES = 30_000;
  private static final List<String> PUBLISHED_MODULES =
      List.of(
          "engine",
          "stream",
          "coding",
          "files",
          "crc",
          "codes",
          "sort",
          "relays",
          "charts",
          "net",
          "conformance");
  private static final List<String> UNPUBLISHED =
      List.of("bench", "cli", "concurrent", "cpu", "cuda", "hybrid", "natives", "papers", "web");

  /** Packages that use libraries of others, and modules that are not published. */
  private static final List<String> WITH_LIBRARIES = List.of("chart", "map", "net");

  private static final String QUIC = "io.fieldstone.net.carrier.quic..";
  private static final String[] JOBS = {"rlnc", "crc", "weights", "sort", "relays"};
  private static final String[] LIBRARY = {
    "field",
    "plane",
    "concurrent",
    "engine",
    "stream",
    "natives",
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
      room("cpu").seesOnly("field", "plane", "concurrent", "engine", "natives");

  @ArchTest
  static final ArchRule HYBRID_SEES_PORTS =
      room("hybrid").seesOnly("field", "concurrent", "engine", "stream");

  @ArchTest
  static final ArchRule CUDA_SEES_PORTS =
      room("cuda").seesOnly("field", "plane", "concurrent", "engine", "natives");

  @ArchTest
  static final ArchRule PAPERS_SEE_ADAPTERS_AND_BENCHMARKS =
      room("papers").seesOnly("field", "plane", "engine", "cpu", "cuda", "bench");

  @ArchTest static final ArchRule NATIVE_KERNELS_SEE_CALLS = room("natives").seesOnly("engine");

  @ArchTest static final ArchRule THE_DRIVER_SEES_NOTHING = room("cuda.driver").seesOnly();

  @ArchTest
  static final ArchRule CHARTS_SEE_WHAT_THEY_DRAW =
      room("chart", "map").seesOnly("chart", "weights", "relays", "engine", "stream");

  @ArchTest static final ArchRule WEB_SEES_NOTHING = room("web").seesOnly();

  @ArchTest
  static final ArchRule NET_SEES_THE_PUBLIC_PACKAGES =
      room("net").seesOnly("field", "engine", "rlnc", "stream", "web");

  @ArchTest
  static final ArchRule ONLY_THE_ADAPTER_NAMES_NETTY =
      noClasses()
          .that(resideInAPackage("io.fieldstone..").and(not(resideInAPackage(QUIC))))
          .should()
          .dependOnClassesThat(resideInAPackage("io.netty.."));

  @ArchTest
  static final ArchRule NOBODY_NAMES_THE_ADAPTER_IN_NET =
      noClasses()
          .that(resideInAnyPackage("io.fieldstone.net.carrier", "io.fieldstone.net.pacing.."))
          .should()
          .dependOnClassesThat(resideInAPackage(QUIC));

  /** Their callers bring times, threads and packets, so that tests run in virtual time. */
  @ArchTest
  static final ArchRule PACING_CODING_AND_SIMULATIONS_HAVE_NO_CLOCK_THREAD_OR_SOCKET =
      noClasses()
          .that(
              resideInAnyPackage(
                  "io.fieldstone.net.pacing..",
                  "io.fieldstone.bench.simulation..",
                  "io.fieldstone.rlnc.object..",
                  "io.fieldstone.rlnc.repair..",
                  "io.fieldstone.rlnc.window..",
                  "io.fieldstone.rlnc.fecframe.."))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "java.net..", "java.nio.channels..", "java.time..", "java.util.concurrent")
                  .or(assignableTo(Thread.class)))
          .orShould()
          .accessTargetWhere(
              targetOwner(type(System.class))
                  .and(target(nameMatching("nanoTime|currentTimeMillis"))));

  @ArchTest static final ArchRule ONLY_PAPERS_NAME_THE_CPU = isPrivate("cpu", "papers");
  @ArchTest static final ArchRule NOBODY_NAMES_HYBRID = isPrivate("hybrid");
  @ArchTest static final ArchRule ONLY_PAPERS_NAME_CUDA = isPrivate("cuda", "papers");
  @ArchTest static final ArchRule ONLY_BENCHMARKS_NAME_THE_COMMAND = isPrivate("cli", "bench");
  @ArchTest static final ArchRule ONLY_PAPERS_NAME_THE_BENCHMARKS = isPrivate("bench", "papers");
  @ArchTest static final ArchRule NOBODY_NAMES_THE_PAPERS = isPrivate("papers");

  @ArchTest
  static final ArchRule THE_LIBRARY_NEEDS_ONLY_THE_JDK =
      classes()
          .that(resideInAnyPackage(packages(LIBRARY)))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(packages(LIBRARY))
                  .or(
                      resideInAnyPackage(
                          "java..", "javax.crypto..", "jdk.incubator.vector..", "org.jspecify..")))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule JOBS_OF_THE_CPU_DO_NOT_SEE_EACH_OTHER = jobsAreApart("cpu", "execution");

  @ArchTest
  static final ArchRule JOBS_OF_CUDA_DO_NOT_SEE_EACH_OTHER =
      jobsAreApart("cuda", "driver", "execution", "transfer");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.fieldstone.(**)").should().beFreeOfCycles();

  /** The packages in the Javadoc are those that {@code pom.xml} includes. */
  @ArchTest
  static void publishedPackagesNeedNoOthers(JavaClasses classes) throws IOException {
    List<String> rooms =
        publishedRooms().stream().filter(room -> !WITH_LIBRARIES.contains(room)).toList();
    String[] published = packages(rooms.toArray(String[]::new));
    assertThat(published).isNotEmpty();
    noClasses()
        .that(resideInAnyPackage(published))
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.fieldstone..").and(not(resideInAnyPackage(published))))
        .check(classes);
    for (String room : UNPUBLISHED) {
      assertThat(publishedRooms()).doesNotContain(room);
    }
  }

  /** The modules export the packages of the Javadoc to all. */
  @ArchTest
  static void theModulesExportThePublishedPackages(JavaClasses classes) throws IOException {
    for (String module : PUBLISHED_MODULES) {
      Path main = sources(module);
      List<String> exported =
          Pattern.compile("exports ([\\w.]+);")
              .matcher(Files.readString(main.resolve("module/module-info.java")))
              .results()
              .map(m -> m.group(1))
              .toList();
      List<String> published =
          publishedSources().stream()
              .filter(source -> source.startsWith(main))
              .map(source -> main.resolve("java").relativize(source.getParent()).toString())
              .map(directory -> directory.replace(File.separatorChar, '.'))
              .distinct()
              .toList();
      assertThat(exported).as(module).containsExactlyInAnyOrderElementsOf(published);
    }
  }

  /** A reader of one product meets a part of the code that can be read. */
  @ArchTest
  static void noModuleIsTooLarge(JavaClasses classes) throws IOException {
    try (Stream<Path> modules = Files.list(root())) {
      for (Path module :
          modules.filter(each -> Files.isDirectory(each.resolve("src/main"))).toList()) {
        try (Stream<Path> tree = Files.walk(module.resolve("src/main"))) {
          long lines = 0;
          for (Path source : tree.filter(each -> each.toString().endsWith(".java")).toList()) {
            lines += Files.readAllLines(source).size();
          }
          assertThat(lines).as(module.getFileName().toString()).isLessThanOrEqualTo(MAX_LINES);
        }
      }
    }
  }

  /** Javadoc ends a summary at the first period that a space follows. */
  @ArchTest
  static void noSummaryIsCutAtAnAbbreviation(JavaClasses classes) throws IOException {
    Pattern comment = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    Pattern cut = Pattern.compile("\\b(Secs?|Figs?|Eqs?|vs|e\\.g|i\\.e|by [A-Z])$|\\([A-Z]$");
    List<String> found = new ArrayList<>();
    for (Path source : publishedSources()) {
      comment
          .matcher(Files.readString(source))
          .results()
          .map(match -> match.group(1).split("\\.\\s", 2))
          .filter(sentences -> sentences.length > 1 && cut.matcher(sentences[0]).find())
          .forEach(sentences -> found.add(source.getFileName() + ":" + sentences[0]));
    }
    assertThat(found).isEmpty();
  }

  @ArchTest
  static void noPackageIsTooLarge(JavaClasses classes) {
    Map<String, Long> sizes =
        classes.stream()
            .filter(each -> each.isTopLevelClass() && !each.getSimpleName().equals("package-info"))
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    sizes.values().removeIf(size -> size <= MAX_TYPES);
    assertThat(sizes).as("packages of more than %d types", MAX_TYPES).isEmpty();
  }

  /** Rules pass on packages without classes, so one test checks that classes are read. */
  @ArchTest
  static void readsTheClasses(JavaClasses classes) {
    assertThat(classes.contain("io.fieldstone.cli.Main")).isTrue();
    assertThat(classes.contain("io.fieldstone.cuda.driver.Driver")).isTrue();
    assertThat(classes.contain("io.fieldstone.net.carrier.Carrier")).isTrue();
    assertThat(classes.contain("io.fieldstone.papers.PaperBenchmarks")).isTrue();
  }

  private static Room room(String... names) {
    return new Room(names);
  }

  /** Packages of jobs of an adapter depend on its shared packages, which depend on no job. */
  private static ArchRule jobsAreApart(String adapter, String... shared) {
    String[] packages =
        Arrays.stream(shared).map(room -> packageOf(adapter + "." + room)).toArray(String[]::new);
    return slices()
        .matching("io.fieldstone." + adapter + ".(*)..")
        .should()
        .notDependOnEachOther()
        .ignoreDependency(DescribedPredicate.alwaysTrue(), resideInAnyPackage(packages));
  }

  private static Path root() {
    return Path.of(System.getProperty("basedir", "."), "..");
  }

  private static Path sources(String module) {
    return root().resolve("fieldstone-" + module).resolve("src/main");
  }

  /** Returns the patterns of the sources in the Javadoc, relative to those of a module. */
  private static List<String> publishedPatterns() throws IOException {
    return Pattern.compile("<include>(io/fieldstone/\\w+/[\\w/*]*\\*\\.java)</include>")
        .matcher(Files.readString(root().resolve("pom.xml")))
        .results()
        .map(match -> match.group(1).replace("**/*", "**"))
        .toList();
  }

  private static List<String> publishedRooms() throws IOException {
    return publishedPatterns().stream().map(pattern -> pattern.split("/")[2]).distinct().toList();
  }

  private static List<Path> publishedSources() throws IOException {
    List<PathMatcher> published =
        publishedPatterns().stream()
            .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern))
            .toList();
    List<Path> sources = new ArrayList<>();
    for (String module : PUBLISHED_MODULES) {
      Path java = sources(module).resolve("java");
      try (Stream<Path> tree = Files.walk(java)) {
        tree.filter(
                path -> published.stream().anyMatch(each -> each.matches(java.relativize(path))))
            .forEach(sources::add);
      }
    }
    assertThat(sources).hasSizeGreaterThan(100);
    return sources;
  }

  private static ArchRule isPrivate(String room, String... users) {
    return noClasses()
        .that(not(resideInAPackage(packageOf(room)).or(resideInAnyPackage(packages(users)))))
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

  /** Packages with a common rule: each may use itself and the packages that the rule names. */
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
                        .and(not(seen))
                        .as("are in Fieldstone outside " + name + " and " + List.of(others)))
                .allowEmptyShould(true));
      }
      return CompositeArchRule.of(rules);
    }
  }
}
