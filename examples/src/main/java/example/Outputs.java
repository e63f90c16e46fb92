package example;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

final class Outputs {

  private Outputs() {}

  // example begin
  /** Replaces files by copies of a text: all of them or, after an error or a crash, none. */
  static void replace(List<Path> targets, String text) throws IOException {
    MemorySegment bytes = MemorySegment.ofArray(text.getBytes(UTF_8));
    try (Temporaries temporaries = new Temporaries()) {
      for (Path target : targets) {
        temporaries.create(target).write(bytes, 0);
      }
      temporaries.commit();
    }
  }
  // example end
}
