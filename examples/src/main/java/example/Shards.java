package example;

// page begin
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.FileDecoder;
import io.fieldstone.rlnc.file.FileEncoder;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

final class Shards {

  private Shards() {}

  // example begin
  static List<Path> encode(Path file, Path folder) throws IOException, InterruptedException {
    EncodingParameters parameters = EncodingParameters.anyOf(64, 4096, 4, 6, 1); // any 4 of 6
    try (Engine engine = Engine.open("auto")) {
      return new FileEncoder(engine, parameters)
          .encode(file, folder, ProgressListener.NONE)
          .shards();
    }
  }

  static void decode(List<Path> shards, Path file) throws IOException, InterruptedException {
    try (Engine engine = Engine.open("auto")) {
      new FileDecoder(engine).decode(shards, file, ProgressListener.NONE);
    }
  }
  // example end
}
// page end
