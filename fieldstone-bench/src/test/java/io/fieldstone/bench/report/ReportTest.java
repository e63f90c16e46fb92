package io.fieldstone.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.engine.Phase;
import io.fieldstone.engine.ProcessorFacts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

  private static final Chart LINES =
      new Chart.Lines(
          "lines",
          "Lines <&> letters",
          "size",
          "MB/s",
          List.of(
              new Chart.Series("ours", List.of(128.0, 256.0), List.of(10.0, 2000.0), false),
              new Chart.Series("paper", List.of(128.0, 256.0), List.of(1.0, 1.0), true)));

  private static final Chart BARS =
      new Chart.Bars(
          "bars",
          "Bars",
          "G GF-MAC/s",
          List.of("a", "b"),
          List.of(
              new Chart.Series("ours", List.of(0.0, 1.0), List.of(3.0, 300.0), false),
              new Chart.Series("paper", List.of(1.0), List.of(0.5), true)));

  /** Phases on a clock that passes from positive to negative. */
  private static final Chart SPANS =
      new Chart.Gantt(
          "spans",
          "Spans",
          List.of(
              new Phase("lane <1>", "upload", Long.MAX_VALUE, Long.MAX_VALUE + 5_000_000, 1),
              new Phase("lane 0", "upload", Long.MAX_VALUE - 1_000_000, Long.MAX_VALUE, 1),
              new Phase("lane 0", "sort", Long.MAX_VALUE, Long.MAX_VALUE + 9_000_000, 1)));

  private static final Report REPORT =
      new Report(
          "sample",
          "A sample <of> R&D",
          new Machine("Some \"CPU\"", 2, "Linux amd64", "25", 512),
          "fieldstone bench sample",
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
  void identifiersWithinAPageDifferAndAreFound() throws Exception {
    String page = SvgCharts.drawAll(List.of(LINES, BARS)).orElseThrow();
    NodeList elements = parse(page).getElementsByTagName("*");
    Set<String> identifiers = new HashSet<>();
    for (int i = 0; i < elements.getLength(); i++) {
      String id = ((Element) elements.item(i)).getAttribute("id");
      assertThat(id.isEmpty() || identifiers.add(id)).as("id %s is the first", id).isTrue();
    }
    assertThat(identifiers).isNotEmpty();
    Pattern.compile("url\\(#([^)]+)\\)")
        .matcher(page)
        .results()
        .forEach(match -> assertThat(identifiers).contains(match.group(1)));
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
    Document svg = parse(SvgCharts.draw(SPANS).orElseThrow());
    NodeList bars = svg.getElementsByTagName("title");
    assertThat(bars.getLength()).isEqualTo(3);
    assertThat(bars.item(0).getTextContent()).isEqualTo("lane 0, upload: 1 ms");
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
    assertThat(SvgCharts.draw(new Chart.Gantt("none", "None", List.of()))).isPresent();
  }

  @Test
  void chartsOnOnePageTakeTheRoomThatTheyNeed() throws Exception {
    double alone = height(parse(SvgCharts.draw(SPANS).orElseThrow()));
    Document page = parse(SvgCharts.drawAll(List.of(SPANS, LINES, SPANS)).orElseThrow());
    double lines = height(parse(SvgCharts.draw(LINES).orElseThrow()));
    assertThat(height(page)).isEqualTo(2 * alone + lines);
    assertThat(((Element) page.getElementsByTagName("g").item(0)).getAttribute("transform"))
        .isEqualTo("translate(0,0)");
    assertThat(alone).isLessThan(lines);
  }

  private static double height(Document svg) {
    return Double.parseDouble(svg.getDocumentElement().getAttribute("height").replace("px", ""));
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
  void markdownTablesEscapePipesAndNameTheirCharts(@TempDir Path directory) throws IOException {
    write(directory);
    assertThat(Files.readString(directory.resolve("sample.md")))
        .contains("| what | ms |\n| --- | ---: |\n", "| pipe \\| here |  |", "- n < k & so on")
        .contains("![Bars](sample-bars.svg)");
  }

  @Test
  void nothingUnfinishedStays(@TempDir Path directory) throws IOException {
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
                ProcessorFacts.of(
                    Stream.of(
                        "cpu family\t: 25", "model\t\t: 17", "model name\t: Some CPU @ 3 GHz"))))
        .contains("Some CPU @ 3 GHz (family 25, model 17)");
    assertThat(Machine.describe(ProcessorFacts.of(Stream.of("Hardware : board")))).isEmpty();
  }

  private static Document parse(String xml) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
  }
}
