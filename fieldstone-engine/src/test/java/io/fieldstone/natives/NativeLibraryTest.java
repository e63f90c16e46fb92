package io.fieldstone.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Loads the native kernels in all the ways that can fail. */
class NativeLibraryTest {

  private static final String PLATFORM =
      System.getProperty("os.name") + "-" + System.getProperty("os.arch");

  private static NativeLibrary load(String setting) {
    return NativeLibrary.load(setting, PLATFORM, ClassLoader::getSystemResourceAsStream, 1);
  }

  @Test
  void isLoadedOnceForTheProcess() {
    assertThat(NativeLibrary.get()).isSameAs(NativeLibrary.get());
    assertThat(NativeLibrary.ifLoaded()).containsSame(NativeLibrary.get());
  }

  @Test
  void hasTheLevelsOfTheProcessorOrAReason() {
    NativeLibrary library = load("");
    assertThat(library.levels().isEmpty()).isEqualTo(library.missing().isPresent());
  }

  @Test
  void isSwitchedOffByTheProperty() {
    assertThat(load("off").missing()).contains("-Dfieldstone.native=off is set");
    assertThat(load("off").levels()).isEmpty();
  }

  @Test
  void isLoweredByTheProperty() {
    for (NativeLevel level : load("").levels()) {
      List<NativeLevel> levels = load(level.suffix()).levels();
      assertThat(levels).startsWith(level).isSubsetOf(load("").levels());
    }
  }

  @Test
  void rejectsAnUnknownSetting() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> load("sse2"))
        .withMessage(
            "fieldstone.native=sse2 is neither off nor avx2, avx2_gfni, avx512_gfni, neon,"
                + " neon_pmull");
  }

  @Test
  void isMissingWithoutAResourceOfThePlatform() {
    NativeLibrary library =
        NativeLibrary.load("", "Plan 9-amd64", ClassLoader::getSystemResourceAsStream, 1);
    assertThat(library.missing())
        .contains("the class path has no native kernels for plan_9-x86_64");
  }

  @Test
  void isMissingIfTheSystemDoesNotMapIt() {
    String other = PLATFORM.contains("aarch64") ? "linux-x86_64" : "linux-aarch64";
    NativeLibrary library =
        NativeLibrary.load(
            "",
            PLATFORM,
            _ ->
                ClassLoader.getSystemResourceAsStream(
                    "META-INF/fieldstone/" + other + "/libfieldstone.so"),
            1);
    assertThat(library.missing()).get().asString().contains("cannot be loaded", "does not map");
  }

  @Test
  void isMissingInAnotherVersion() {
    if (load("").missing().isEmpty()) {
      NativeLibrary library =
          NativeLibrary.load("", PLATFORM, ClassLoader::getSystemResourceAsStream, 7);
      assertThat(library.missing())
          .contains("the native kernels have version 2 of their interface, expected 7");
    }
  }

  @Test
  void isMissingOnAnOlderProcessor() {
    assertThat(NativeLibrary.usable(_ -> Optional.empty(), "", List.of()).missing())
        .contains("the processor is too old for the native kernels");
    assertThat(
            NativeLibrary.usable(_ -> Optional.empty(), "avx2_gfni", List.of(NativeLevel.AVX2))
                .missing())
        .contains("the processor has no AVX2 and GFNI, as -Dfieldstone.native asks");
  }

  @Test
  void hasTheLevelsThatAKernelIsWrittenFor() {
    List<NativeLevel> all =
        List.of(NativeLevel.AVX512_GFNI, NativeLevel.AVX2_GFNI, NativeLevel.AVX2);
    NativeLibrary library =
        NativeLibrary.usable(
            name -> Optional.of(MemorySegment.NULL).filter(_ -> name.equals("fs_copy_avx2")),
            "",
            all);
    assertThat(library.levels()).isEqualTo(all);
    assertThat(library.levels("copy")).containsExactly(NativeLevel.AVX2);
    assertThat(library.levels("wishes")).isEmpty();
    assertThat(load("off").levels("copy")).isEmpty();
  }

  @Test
  void namesAnUnknownKernel() {
    NativeLibrary library =
        NativeLibrary.usable(_ -> Optional.empty(), "", List.of(NativeLevel.AVX2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> library.function("wishes", NativeLevel.AVX2))
        .withMessage("no native kernel fs_wishes_avx2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> library.function("products", NativeLevel.NEON));
  }
}
