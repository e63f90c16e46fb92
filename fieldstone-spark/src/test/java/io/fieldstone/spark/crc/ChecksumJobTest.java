package io.fieldstone.spark.crc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.crc.ChecksumLine;
import io.fieldstone.crc.Crc;
import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.crc.CrcModel;
import io.fieldstone.spark.LocalSpark;
import io.fieldstone.spark.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksumJobTest {

  private static final CrcModel CRC32 = CrcCatalogue.model("CRC-32/ISO-HDLC");

  @TempDir Path folder;

  @Test
  void combinesTheRangesOfAHugeFile() throws Exception {
    byte[] bytes = new byte[3_000_017];
    new Random(1).nextBytes(bytes);
    Path file = Files.write(folder.resolve("huge"), bytes);
    for (String name : List.of("CRC-64/XZ", "CRC-16/XMODEM", "CRC-82/DARC", "CRC-5/USB")) {
      CrcModel model = CrcCatalogue.model(name);
      Crc whole = Crc.of(model);
      whole.update(bytes, 0, bytes.length);
      List<FileChecksum> sums =
          ChecksumJob.of(LocalSpark.CONTEXT, model)
              .withTaskBytes(100_000)
              .run(List.of(file.toString()));
      assertThat(sums)
          .containsExactly(
              new FileChecksum(
                  file.toString(), bytes.length, Optional.of(whole.value()), Optional.empty()));
    }
  }

  @Test
  void manySmallFilesGiveAListInOrderThatCanBeChecked() throws Exception {
    Random random = new Random(2);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      byte[] bytes = new byte[i % 7 == 0 ? 0 : random.nextInt(3000)];
      random.nextBytes(bytes);
      Path file = folder.resolve("d%02d".formatted(i / 100)).resolve("f%03d".formatted(i));
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
      CRC32 crc = new CRC32();
      crc.update(bytes);
      expected.add("%08x  %s".formatted(crc.getValue(), file));
    }
    ChecksumJob job = ChecksumJob.of(LocalSpark.CONTEXT, CRC32).withTaskBytes(50_000);
    List<FileChecksum> sums = job.run(List.of(folder.toString()));
    List<ChecksumLine> lines =
        sums.stream()
            .map(file -> new ChecksumLine(file.checksum().orElseThrow(), file.name()))
            .toList();
    assertThat(lines.stream().map(ChecksumLine::text)).containsExactlyElementsOf(expected);
    assertThat(expected.stream().map(line -> ChecksumLine.parse(line, CRC32).orElseThrow()))
        .containsExactlyElementsOf(lines);

    Files.writeString(folder.resolve("d01/f101"), "changed");
    Files.delete(folder.resolve("d02/f202"));
    List<FileChecksum> now = job.ofLines(lines);
    assertThat(now.stream().map(FileChecksum::name))
        .containsExactlyElementsOf(lines.stream().map(ChecksumLine::name).toList());
    for (int i = 0; i < now.size(); i++) {
      boolean isSame = now.get(i).checksum().equals(Optional.of(lines.get(i).checksum()));
      assertThat(isSame).as(now.get(i).name()).isEqualTo(i != 101 && i != 202);
    }
    assertThat(now.get(202).problem())
        .contains("no such file or directory: file:" + folder.resolve("d02/f202"));
  }

  @Test
  void resultsAreADataset() throws Exception {
    Path file = Files.writeString(folder.resolve("check"), "123456789");
    SparkSession session =
        SparkSession.builder().sparkContext(LocalSpark.CONTEXT.sc()).getOrCreate();
    List<Row> rows =
        ChecksumJob.of(LocalSpark.CONTEXT, CRC32)
            .dataset(session, List.of(file.toString()))
            .collectAsList();
    assertThat(rows).hasSize(1);
    assertThat(rows.getFirst().<String>getAs("crc")).isEqualTo("cbf43926");
  }

  @Test
  void aMissingFolderIsNamed() {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(
            () -> ChecksumJob.of(LocalSpark.CONTEXT, CRC32).run(List.of(missing.toString())))
        .isInstanceOf(IOException.class)
        .satisfies(
            e -> assertThat(Problem.of(e)).isEqualTo("no such file or directory: file:" + missing));
  }
}
