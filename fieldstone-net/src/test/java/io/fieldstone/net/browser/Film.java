package io.fieldstone.net.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A film of noise, with sound, that ffmpeg makes. */
public record Film(Path file) {
  private static final List<String> FRAGMENTS =
      List.of("-preset", "ultrafast", "-movflags", "frag_keyframe+empty_moov+default_base_moof");

  /**
   * Makes a film that plays while it arrives: MP4 with H.264, or WebM where ffmpeg cannot. Skips
   * the test without ffmpeg.
   *
   * @param bitRate as ffmpeg has it
   */
  public static Film inFragments(Path folder, int seconds, String bitRate)
      throws IOException, InterruptedException {
    return hasH264()
        ? make(folder.resolve("film.mp4"), seconds, bitRate, FRAGMENTS)
        : webm(folder, seconds, bitRate);
  }

  /** Makes a film in WebM with VP8; skips the test without ffmpeg. */
  static Film webm(Path folder, int seconds, String bitRate)
      throws IOException, InterruptedException {
    return make(
        folder.resolve("film.webm"),
        seconds,
        bitRate,
        List.of("-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"));
  }

  /** Makes a film in MP4 with its description at the end; skips the test if ffmpeg cannot. */
  static Film inOnePiece(Path folder, int seconds, String bitRate)
      throws IOException, InterruptedException {
    assumeThat(hasH264()).as("H.264").isTrue();
    return make(folder.resolve("film.mp4"), seconds, bitRate, List.of());
  }

  private static boolean hasH264() throws IOException, InterruptedException {
    return ffmpeg(List.of("-encoders")).contains(" libx264 ");
  }

  private static Film make(Path file, int seconds, String bitRate, List<String> options)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of("-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i"));
    arguments.addAll(List.of("sine=440", "-t", "" + seconds, "-vf", "noise=alls=20:allf=t"));
    arguments.addAll(List.of("-b:v", bitRate, "-maxrate", bitRate, "-bufsize", bitRate));
    arguments.addAll(List.of("-g", "25", "-pix_fmt", "yuv420p"));
    arguments.addAll(options);
    arguments.add(file.toString());
    String output = ffmpeg(arguments);
    assertThat(file).as(output).isNotEmptyFile();
    return new Film(file);
  }

  private static String ffmpeg(List<String> arguments) throws IOException, InterruptedException {
    Optional<Path> program = HeadlessBrowser.find(List.of("ffmpeg"));
    assumeThat(program).as("ffmpeg").isPresent();
    List<String> command =
        new ArrayList<>(List.of(program.get().toString(), "-hide_banner", "-nostdin"));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  String name() {
    return file.getFileName().toString();
  }
}
