package io.fieldstone.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.chart.Chart;
import io.fieldstone.engine.memory.CpuInfo;
import io.fieldstone.engine.memory.Phase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ReportTest {

  private static final Plot LINES =
      new Plot(
          new Chart.Lines(
              "lines",
              "Lines <&> letters",
              "size",
              "MB/s",
              List.of(
                  new Chart.Series("measured", List.of(128.0, 256.0), List.of(10.0, 2000.0), false),
                  new Chart.Series("paper", List.of(128.0, 256.0), List.of(1.0, 1.0), true))));

  private static final Plot BARS =
      new Plot(
          new Chart.Bars(
              "bars",
              "Bars",
              "G GF-MAC/s",
              List.of("a", "b"),
              List.of(
                  new Chart.Series("measured", List.of(0.0, 1.0), List.of(3.0, 300.0), false),
                  new Chart.Series("paper", List.of(1.0), List.of(0.5), true))));

  /** Phases on a clock that passes from positive to negative. */
  private static final Gantt SPANS =
      new Gantt(
          "spans",
          "Spans",
          List.of(
              new Phase("stream <1>", "upload", Long.MAX_VALUE, Long.MAX_VALUE + 5_000_000, 1),
              new Phase("stream 0", "upload", Long.MAX_VALUE - 1_000_000, Long.MAX_VALUE, 1),
              new Phase("stream 0", "sort", Long.MAX_VALUE, Long.MAX_VALUE + 9_000_000, 1)));

  private static final Report REPORT =
      new Report(
          "sample",
          "A sample <of> R&D",
          new Machine("Some \"CPU\"", 2, "Linux amd64", "25", 512),
          "fieldstone bench sample",
          205.4,
          List.of("An introduction with a < b."),
          List.of(
              Table.named("table", "A table", "what", "ms")
                  .row(Cell.of("with, comma and \"quotes\""), Cell.of(1234.5678))
                  .row(Cell.of("pipe | here"), Cell.empty())
                  .note("n < k & so on")
                  .build(),
              LINES,
              BARS),
          List.of(new Measurement("m", 10, 3, 2, 4)));

  /** Writes the sample, part by part; the folder. */
  private static ReportFolder write(Path directory) {
    ReportFolder folder = new ReportFolder(directory);
    REPORT.parts().forEach(part -> folder.partAdded(REPORT, part));
    return folder;
  }

  @Test
  void chartsAreWellFormedSvg(@TempDir Path directory) throws Exception {
    write(directory);
    for (String name : List.of("sample-lines.svg", "sample-bars.svg")) {
      Element root = parse(Files.readString(directory.resolve(name))).getDocumentElement();
      assertThat(root.getTagName()).isEqualTo("svg");
      assertThat(root.getElementsByTagName("path").getLength()).isPositive();
    }
  }

  @Test
  void spansAreARowForEachPlaceFromTheirCommonBeginning() throws Exception {
    Document svg = parse(GanttSvg.of(SPANS));
    NodeList bars = svg.getElementsByTagName("title");
    assertThat(bars.getLength()).isEqualTo(3);
    assertThat(bars.item(0).getTextContent()).isEqualTo("stream 0, upload: 1 ms");
    Element first = (Element) bars.item(0).getParentNode();
    Element sort = (Element) bars.item(2).getParentNode();
    Element other = (Element) bars.item(1).getParentNode();
    assertThat(sort.getAttribute("y")).isNotEqualTo(other.getAttribute("y"));
    assertThat(List.of(sort, other))
        .filteredOn(bar -> bar.getAttribute("y").equals(first.getAttribute("y")))
        .hasSize(1);
    double millisecond = Double.parseDouble(first.getAttribute("width"));
    assertThat(Double.parseDouble(other.getAttribute("x")))
        .isCloseTo(Double.parseDouble(first.getAttribute("x")) + millisecond, within(0.1));
    assertThat(first.getAttribute("fill")).isNotEqualTo(sort.getAttribute("fill"));
    assertThat(GanttSvg.of(new Gantt("none", "None", List.of()))).startsWith("<?xml");
  }

  /** 3 ms of reading, 1 ms of hashing, 4 ms of nothing, and so on. */
  @Test
  void manyPhasesAreDrawnAsSharesOfTheTime() throws Exception {
    List<Phase> phases = new ArrayList<>();
    for (long ms = 0; ms < 8 * 600; ms += 8) {
      phases.add(new Phase("thread", "read", ms * 1_000_000, (ms + 3) * 1_000_000, 1));
      phases.add(new Phase("thread", "hash", (ms + 3) * 1_000_000, (ms + 4) * 1_000_000, 1));
    }
    String svg = GanttSvg.of(new Gantt("many", "Many", phases));
    NodeList paths = parse(svg).getElementsByTagName("path");
    assertThat(paths.getLength()).isEqualTo(2);
    Element read = (Element) paths.item(0);
    Element hash = (Element) paths.item(1);
    assertThat(read.getTextContent()).isEqualToNormalizingWhitespace("thread, read: 1800 ms");
    assertThat(hash.getTextContent()).isEqualToNormalizingWhitespace("thread, hash: 600 ms");
    double area = area(read.getAttribute("d"));
    assertThat(area).isPositive();
    assertThat(area(hash.getAttribute("d"))).isCloseTo(area / 3, withinPercentage(3));
    assertThat(svg.length()).isLessThan(20_000);
  }

  /** Returns the area within a path of steps. */
  private static double area(String path) {
    double y = 0;
    double area = 0;
    Matcher steps = Pattern.compile("([vh])(-?[0-9.]+)").matcher(path);
    while (steps.find()) {
      double by = Double.parseDouble(steps.group(2));
      if (steps.group(1).equals("v")) {
        y += by;
      } else {
        area -= y * by;
      }
    }
    return area;
  }

  /** An interrupted run has written its results. */
  @Test
  void aReportGrowsOnDiskAndOnTheTerminal(@TempDir Path directory) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ReportListener printer =
        new ReportPrinter(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    ReportFolder folder = new ReportFolder(directory);
    Run run =
        new Run(
            BenchOptions.DEFAULT.withReportListener((soFar, part) -> {
              printer.partAdded(soFar, part);
              folder.partAdded(soFar, part);
            }),
            new Heading("growing", "A report that grows", List.of("It has no end yet.")),
            1);
    run.publish(REPORT.tables().getFirst());
    assertThat(Files.readString(directory.resolve("growing.md")))
        .contains("It has no end yet.", "## A table");
    assertThat(directory.resolve("growing-table.csv")).exists();
    String printed = bytes.toString(StandardCharsets.UTF_8);
    assertThat(printed).startsWith("A report that grows\n").contains("\nA table\n");

    run.publish(BARS);
    assertThat(run.report().parts()).containsExactly(REPORT.tables().getFirst(), BARS);
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo(printed);
    String page = Files.readString(directory.resolve("growing.md"));
    assertThat(page.indexOf("![Bars](growing-bars.svg)")).isGreaterThan(page.indexOf("## A table"));
    assertThat(folder.written()).hasSize(4);
  }

  @Test
  void csvQuotesWhatNeedsIt(@TempDir Path directory) throws IOException {
    write(directory);
    assertThat(Files.readString(directory.resolve("sample-table.csv")))
        .isEqualTo(
            """
            what,ms
            "with, comma and ""quotes""\",1234.568
            pipe | here,
            """);
    assertThat(Files.readString(directory.resolve("sample-measurements.csv")))
        .isEqualTo("name,work,samples,best ns,median ns,best work/ns\nm,10,3,2,4,5\n");
  }

  @Test
  void markdownNamesTheMachineTheCommandAndItsDuration(@TempDir Path directory) throws IOException {
    write(directory);
    assertThat(Files.readString(directory.resolve("sample.md")))
        .contains("Machine: Some \"CPU\", 2 processors")
        .contains("Command: `fieldstone bench sample`  \nDuration: 3 min 25 s\n");
  }

  @Test
  void markdownTablesEscapePipesAndNameTheirCharts(@TempDir Path directory) throws IOException {
    write(directory);
    assertThat(Files.readString(directory.resolve("sample.md")))
        .contains("| what | ms |\n| --- | ---: |\n", "| pipe \\| here |  |", "- n < k & so on")
        .contains("![Bars](sample-bars.svg)");
  }

  @Test
  void unfinishedReportsAreDeleted(@TempDir Path directory) throws IOException {
    List<Path> written = write(directory.resolve("new").resolve("folder")).written();
    try (Stream<Path> files = Files.list(directory.resolve("new").resolve("folder"))) {
      assertThat(files).containsExactlyInAnyOrderElementsOf(written).hasSize(5);
    }
  }

  @Test
  void textAlignsColumns() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ReportPrinter printer = new ReportPrinter(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    REPORT.parts().forEach(part -> printer.partAdded(REPORT, part));
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains(
            """
            A table
              what                        ms
              with, comma and "quotes"  1235
              pipe | here
              * n < k & so on
            """);
  }

  @Test
  void numbersAreRoundedForPeopleAndKeptForPrograms() {
    assertThat(Cell.of(0.001234).text()).isEqualTo("0.00123");
    assertThat(Cell.of(1.2345).text()).isEqualTo("1.23");
    assertThat(Cell.of(12.345).text()).isEqualTo("12.3");
    assertThat(Cell.of(12345.6).text()).isEqualTo("12346");
    assertThat(Cell.of(128).text()).isEqualTo("128");
    assertThat(Cell.of(12.345).exact()).isEqualTo("12.34500");
    assertThat(Cell.of(4096).exact()).isEqualTo("4096");
  }

  @Test
  void aRowOfTheWrongLengthIsRefused() {
    assertThatThrownBy(() -> Table.named("t", "", "a", "b").row(Cell.of(1)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 cells in table 't' of 2");
  }

  @Test
  void theMachineIsNamedByItsProcessor() {
    assertThat(
            Machine.describe(
                CpuInfo.of(
                    Stream.of(
                        "cpu family\t: 25", "model\t\t: 17", "model name\t: Some CPU @ 3 GHz"))))
        .contains("Some CPU @ 3 GHz (family 25, model 17)");
    assertThat(Machine.describe(CpuInfo.of(Stream.of("Hardware : board")))).isEmpty();
  }

  private static Document parse(String xml) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
  }
}
