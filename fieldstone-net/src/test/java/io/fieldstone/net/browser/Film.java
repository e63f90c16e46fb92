package io.fieldstone.net.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A film of noise that ffmpeg makes: fragmented MP4 with H.264, or WebM with VP8 where there is no
 * encoder.
 */
record Film(Path file) {
  private static final String BIT_RATE = "700k";

  /** Makes a film of some seconds, with sound; skips the test without ffmpeg. */
  static Film make(Path folder, int seconds) throws IOException, InterruptedException {
    Optional<Path> program = Chromium.find(List.of("ffmpeg"));
    assumeThat(program).as("ffmpeg").isPresent();
    boolean isMp4 = run(program.get(), List.of("-encoders")).contains(" libx264 ");
    Path file = folder.resolve(isMp4 ? "film.mp4" : "film.webm");
    List<String> arguments =
        new ArrayList<>(
            List.of("-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i"));
    arguments.addAll(List.of("sine=440", "-t", "" + seconds, "-vf", "noise=alls=20:allf=t"));
    arguments.addAll(List.of("-b:v", BIT_RATE, "-maxrate", BIT_RATE, "-bufsize", BIT_RATE));
    arguments.addAll(List.of("-g", "25", "-pix_fmt", "yuv420p"));
    arguments.addAll(
        isMp4
            ? List.of("-c:v", "libx264", "-preset", "veryfast", "-c:a", "aac", "-movflags")
            : List.of("-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"));
    if (isMp4) {
      arguments.add("frag_keyframe+empty_moov+default_base_moof");
    }
    arguments.add(file.toString());
    String output = run(program.get(), arguments);
    assertThat(file).as(output).isNotEmptyFile();
    return new Film(file);
  }

  private static String run(Path program, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(program.toString(), "-hide_banner", "-nostdin"));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  String name() {
    return file.getFileName().toString();
  }
}
