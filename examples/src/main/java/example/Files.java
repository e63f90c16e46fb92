package example;

// page begin
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.sort.FileSorter;
import io.fieldstone.sort.SortListener;
import java.io.IOException;
import java.nio.file.Path;

final class Files {

  private Files() {}

  // example begin
  static void sort(Path input, Path output) throws IOException, InterruptedException {
    RecordFormat format = RecordFormat.of(KeyType.U32).withPayload(12); // 16 bytes each
    try (Engine engine = Engine.open("auto")) {
      FileSorter.of(engine, format, 1L << 28).sort(input, output, SortListener.NONE);
    }
  }
  // example end
}
// page end
