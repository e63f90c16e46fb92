package io.fieldstone.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs the tests in JavaScript, and checks the files that servers offer. */
class ModulesTest {
  private static final Path FILES = Path.of("src/main/resources/io/fieldstone/web");
  private static final Path DASHBOARD = FILES.resolve("dashboard");
  private static final Pattern IMPORT = Pattern.compile("(?:from |import\\()'([^']+)'");

  /** What a browser loads for a transfer, without compression. */
  private static final long MAX_BYTES = 200_000;

  /** What it loads in addition to play. */
  private static final long MAX_MEDIA_BYTES = 35_000;

  /** What it loads in addition to verify publishers. */
  private static final long MAX_PUBLISHERS_BYTES = 12_000;

  /** What it loads in addition to receive a live stream. */
  private static final long MAX_LIVE_BYTES = 50_000;

  /** The time that the tests in JavaScript may take; they take some seconds. */
  private static final long MAX_MINUTES = 3;

  @Test
  void passesTheTestsInJavaScript() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("--test", "--test-reporter=spec"));
    try (Stream<Path> tests = Files.list(Path.of("src/test/js"))) {
      tests.map(Path::toString).filter(name -> name.endsWith(".test.mjs")).forEach(command::add);
    }
    Process process = NodePeer.node(command.toArray(String[]::new)).start();
    // A timer that a test leaves keeps Node running.
    CompletableFuture.delayedExecutor(MAX_MINUTES, TimeUnit.MINUTES)
        .execute(process::destroyForcibly);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  @Test
  void offersEachModuleThatAnotherImports() throws IOException {
    for (Path module : modules()) {
      boolean isDashboard = module.startsWith(DASHBOARD);
      Path root = isDashboard ? DASHBOARD : FILES;
      WebFiles files = isDashboard ? WebFiles.DASHBOARD : WebFiles.RECEIVER;
      for (MatchResult found : IMPORT.matcher(Files.readString(module)).results().toList()) {
        Path path = root.relativize(module.resolveSibling(found.group(1)).normalize());
        assertThat(files.read(path.toString())).as("%s of %s", path, module).isPresent();
      }
    }
    assertThat(WebFiles.DASHBOARD.read("index.html")).isPresent();
    assertThat(WebFiles.RECEIVER.read("lib/galois.wasm")).isPresent();
    assertThat(WebFiles.RECEIVER.read("receive.html")).isPresent();
  }

  @Test
  void readsNothingOutsideThePage() {
    for (String path :
        List.of("", "dashboard/main.js", "../web/receive.js", "/receive.js", "WebFiles.class")) {
      assertThat(WebFiles.RECEIVER.read(path)).as(path).isEmpty();
    }
    assertThat(WebFiles.DASHBOARD.read("receive.js")).isEmpty();
    assertThat(WebFiles.DASHBOARD.read("../receive.js")).isEmpty();
  }

  @Test
  void staysLight() throws IOException {
    long bytes = Files.size(FILES.resolve("lib/galois.wasm"));
    long mediaBytes = 0;
    long liveBytes = 0;
    long publishersBytes = 0;
    for (Path module : modules()) {
      if (module.startsWith(FILES.resolve("lib/media"))) {
        mediaBytes += Files.size(module);
      } else if (module.startsWith(FILES.resolve("lib/publishers"))) {
        publishersBytes += Files.size(module);
      } else if (module.startsWith(FILES.resolve("lib/live"))) {
        liveBytes += Files.size(module);
      } else if (!module.startsWith(DASHBOARD)) {
        bytes += Files.size(module);
      }
    }
    assertThat(bytes).isLessThan(MAX_BYTES);
    assertThat(mediaBytes).isLessThan(MAX_MEDIA_BYTES);
    assertThat(liveBytes).isLessThan(MAX_LIVE_BYTES);
    assertThat(publishersBytes).isLessThan(MAX_PUBLISHERS_BYTES);
  }

  private static List<Path> modules() throws IOException {
    try (Stream<Path> files = Files.walk(FILES)) {
      return files.filter(file -> file.toString().endsWith(".js")).toList();
    }
  }
}
