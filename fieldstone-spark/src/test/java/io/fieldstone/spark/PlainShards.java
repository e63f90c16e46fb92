package io.fieldstone.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.file.FileEncoder;
import io.fieldstone.spark.coding.CodingOptions;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The shards that the library makes of the files in a folder. */
public final class PlainShards {

  /** Reads a file. */
  public interface Reader {
    /** Returns all bytes. */
    byte[] read(String path) throws IOException;
  }

  private PlainShards() {}

  /**
   * Encodes files by the library, as the plain command does.
   *
   * @param names relative to the source; the shards have the same folders under the target
   */
  public static void encode(CodingOptions options, Path source, List<String> names, Path target)
      throws Exception {
    try (Engine engine = Engine.open("cpu")) {
      FileEncoder encoder = new FileEncoder(engine, options.parameters());
      for (String name : names) {
        Path folder = Files.createDirectories(target.resolve(name).getParent());
        encoder.encode(source.resolve(name), folder, ProgressListener.NONE);
      }
    }
  }

  /**
   * Compares shards with those of the library.
   *
   * @param folder for files of the comparison
   * @param paths shard s is in path s mod paths
   * @param reader reads from these paths
   */
  public static void requireEqual(
      CodingOptions options,
      Path source,
      List<String> names,
      Path folder,
      List<String> paths,
      Reader reader)
      throws Exception {
    Path plain = Files.createTempDirectory(folder, "plain");
    encode(options, source, names, plain);
    for (String name : names) {
      for (int shard = 0; shard < options.shards(); shard++) {
        String file = "%s.%02d.fst".formatted(name, shard);
        assertThat(reader.read(paths.get(shard % paths.size()) + "/" + file))
            .as(file)
            .isEqualTo(Files.readAllBytes(plain.resolve(file)));
      }
    }
  }
}
