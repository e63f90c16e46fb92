package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.fieldstone.cuda.Fatbins.Fatbin;
import io.fieldstone.cuda.Fatbins.Nvcc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fatbins that are kept are those of the sources, and the sources compile. */
class FatbinsTest {
  private static final Fatbins FATBINS = new Fatbins(Path.of(""));

  static List<Fatbin> sources() throws IOException {
    return FATBINS.list();
  }

  @Test
  void keepsAFatbinOfEachSourceAndNoOther() throws IOException {
    assertThat(FATBINS.kept())
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(sources().stream().map(Fatbin::file).toList());
  }

  @ParameterizedTest
  @MethodSource("sources")
  void isOfItsSources(Fatbin fatbin) throws IOException {
    assertThat(fatbin.problem()).as("mvn -N -Pkernels validate makes it anew, with nvcc").isEmpty();
  }

  /** Compiled once for each change: what has been seen to be right is noted in target/kernels. */
  @ParameterizedTest
  @MethodSource("sources")
  void isWhatNvccMakesOfTheSources(Fatbin fatbin) throws IOException, InterruptedException {
    Nvcc nvcc = Nvcc.find().orElseGet(() -> abort("needs nvcc"));
    Path directory = Files.createDirectories(Path.of("target/kernels"));
    Path compiled = directory.resolve(fatbin.file().getFileName());
    Path note = directory.resolve(compiled.getFileName() + ".seen");
    String now = fatbin.sourcesDigest() + " " + nvcc.version();
    if (!Files.exists(note) || !Files.readString(note).equals(now)) {
      nvcc.compile(fatbin, compiled);
      Files.writeString(note, now);
    }
    if (nvcc.version().equals(fatbin.nvccVersion())) {
      assertThat(compiled).hasSameBinaryContentAs(fatbin.file());
    }
  }
}
