package io.fieldstone.spark.app;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.RecordLayout;
import io.fieldstone.spark.sort.SortJob;
import io.fieldstone.spark.sort.SortReport;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "sort",
    sortOptions = false,
    description = "Sort binary records. TeraSort's are --key 0:10 --record 100.")
final class SortCommand extends JobCommand {

  @Parameters(arity = "1..*", paramLabel = "IN", description = "Files and folders of records.")
  private List<String> inputs = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "OUT",
      description = "Folder of the sorted parts, part-00000 and so on.")
  private String output = "";

  @Option(names = "--one-file", description = "OUT is one file, which one task writes.")
  private boolean isOneFile;

  @Option(names = "--force", description = "Replace OUT.")
  private boolean isForced;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "Type of the keys: u32, i32, u64, i64, f32 or f64.")
  private @Nullable String type;

  @Option(
      names = "--key",
      paramLabel = "OFFSET:LENGTH",
      description =
          "Instead of --type: keys are LENGTH bytes from byte OFFSET of a record on, compared as"
              + " unsigned bytes.")
  private @Nullable String key;

  @Option(
      names = "--key-offset",
      paramLabel = "BYTES",
      description = "With --type: bytes of a record before its key (default: 0).")
  private int keyOffset;

  @Option(names = "--big-endian", description = "With --type: keys are big-endian.")
  private boolean isBigEndian;

  @Option(
      names = "--payload",
      paramLabel = "BYTES",
      description = "Bytes that follow each key (default: 0).")
  private int payload;

  @Option(
      names = "--record",
      paramLabel = "BYTES",
      description = "Bytes of a record, instead of --payload.")
  private int record;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description = "Order of the keys: asc (the default) or desc.")
  private String order = "asc";

  @Override
  void checkOptions() {
    layout();
    if (split() > 1 << 29) {
      throw usage("--split %d is more than 512MiB".formatted(split()));
    }
  }

  private RecordLayout layout() {
    if ((type == null) == (key == null)) {
      throw usage("give one of --type and --key");
    }
    if (key != null && (keyOffset != 0 || isBigEndian)) {
      throw usage("--key-offset and --big-endian need --type");
    }
    if (payload != 0 && record != 0) {
      throw usage("--record includes the payload, and excludes --payload");
    }
    if (!order.equals("asc") && !order.equals("desc")) {
      throw usage("--order: no value '%s'; there are asc, desc".formatted(order));
    }
    try {
      int offset = key == null ? keyOffset : keyPart(key, 0);
      RecordLayout.Key kind =
          type == null
              ? new RecordLayout.ByteString(keyPart(String.valueOf(key), 1))
              : new RecordLayout.Numeric(
                  KeyType.of(type), isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
      return new RecordLayout(
          record == 0 ? Math.addExact(Math.addExact(offset, kind.bytes()), payload) : record,
          offset,
          kind,
          order.equals("asc") ? Direction.ASCENDING : Direction.DESCENDING);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private int keyPart(String text, int part) {
    if (!text.matches("[0-9]{1,8}:[0-9]{1,8}")) {
      throw usage("--key '%s' is not OFFSET:LENGTH".formatted(text));
    }
    return Integer.parseInt(text.split(":")[part]);
  }

  @Override
  int run(JavaSparkContext context) throws IOException {
    SortJob job = SortJob.of(context, layout()).withEngine(engine()).withTaskBytes(split());
    job = isForced ? job.replacing() : job;
    SortReport report = (isOneFile ? job.toOneFile() : job).run(inputs, output);
    return result(
        report,
        "%d records, %d bytes: %d files"
            .formatted(report.records(), report.bytes(), report.written().size()));
  }
}
