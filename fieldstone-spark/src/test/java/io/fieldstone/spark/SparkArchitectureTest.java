package io.fieldstone.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rules of {@code ArchitectureTest} for this module, which the command does not see. */
@AnalyzeClasses(packages = "io.fieldstone.spark", importOptions = DoNotIncludeTests.class)
class SparkArchitectureTest {

  @ArchTest
  static final ArchRule SPARK_SEES_THE_PUBLIC_PACKAGES =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.fieldstone.spark..",
              "io.fieldstone.field..",
              "io.fieldstone.engine..",
              "io.fieldstone.stream..",
              "io.fieldstone.rlnc..",
              "io.fieldstone.crc..",
              "io.fieldstone.weights..",
              "io.fieldstone.sort..",
              "java..",
              "scala..",
              "org.apache.spark..",
              "org.apache.hadoop..",
              "org.apache.logging.log4j..",
              "com.fasterxml.jackson..",
              "picocli..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule ONLY_THE_APPLICATION_NAMES_PICOCLI =
      classes()
          .that()
          .resideOutsideOfPackage("io.fieldstone.spark.app..")
          .should()
          .onlyDependOnClassesThat()
          .resideOutsideOfPackages("picocli..", "io.fieldstone.spark.app..");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.fieldstone.spark.(*)..").should().beFreeOfCycles();
}
