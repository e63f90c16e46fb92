package io.fieldstone.spark.app;

import io.fieldstone.spark.coding.CodingReport;
import java.util.List;

/** The result of decoding and repairing as {@code --json} prints it. */
record FilesResult(long files, long bytes, List<String> written, List<String> notes) {

  static FilesResult of(CodingReport report) {
    return new FilesResult(report.objects(), report.bytes(), report.written(), report.notes());
  }
}
