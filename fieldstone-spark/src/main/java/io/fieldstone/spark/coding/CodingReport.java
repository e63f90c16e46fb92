package io.fieldstone.spark.coding;

import io.fieldstone.spark.storage.Staging;
import java.util.List;

/**
 * The result of a job on shards.
 *
 * @param objects the number of files or objects
 * @param bytes the bytes of the files
 * @param written the paths that were written, in order
 * @param notes shards that were left out or have wrong blocks, a line each
 */
public record CodingReport(long objects, long bytes, List<String> written, List<String> notes) {

  static CodingReport of(long bytes, long objects, List<Staging.Move> moves) {
    return new CodingReport(
        objects, bytes, moves.stream().map(Staging.Move::to).sorted().toList(), List.of());
  }

  CodingReport withNotes(List<String> lines) {
    return new CodingReport(objects, bytes, written, lines.stream().distinct().sorted().toList());
  }
}
