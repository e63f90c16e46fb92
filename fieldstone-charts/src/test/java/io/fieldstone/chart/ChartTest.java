package io.fieldstone.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.chart.drawing.ChartStyle;
import io.fieldstone.chart.drawing.PngImage;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ChartTest {

  private static final Chart LINES =
      new Chart.Lines(
          "lines",
          "Lines <&> letters",
          "size",
          "MB/s",
          List.of(
              new Chart.Series("measured", List.of(128.0, 256.0), List.of(10.0, 2000.0), false),
              new Chart.Series("paper", List.of(128.0, 256.0), List.of(1.0, 1.0), true)));

  private static final Chart BARS =
      new Chart.Bars(
          "bars",
          "Bars",
          "G GF-MAC/s",
          List.of("a", "b"),
          List.of(
              new Chart.Series("measured", List.of(0.0, 1.0), List.of(3.0, 300.0), false),
              new Chart.Series("paper", List.of(1.0), List.of(0.5), true)));

  @Test
  void powersOfTenKeepTheirLabelsInSpiteOfRounding() {
    assertThat(XCharts.powerOfTen(Math.log(1e6) / Math.log(10))).isEqualTo("10^6");
    assertThat(XCharts.powerOfTen(5.5)).isEmpty();
  }

  @Test
  void axesOfFractionsHaveLabels() {
    assertThat(XCharts.fraction(-4)).isEqualTo("0.063");
    assertThat(XCharts.fraction(-0.5)).isEqualTo("0.71");
    assertThat(XCharts.fraction(-20)).isEqualTo("0.00000095");
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
  void chartsOnOnePageTakeTheRoomThatTheyNeed() throws Exception {
    Document page = parse(SvgCharts.drawAll(List.of(LINES, BARS)).orElseThrow());
    assertThat(height(page))
        .isEqualTo(
            height(parse(SvgCharts.draw(LINES).orElseThrow()))
                + height(parse(SvgCharts.draw(BARS).orElseThrow())));
    assertThat(((Element) page.getElementsByTagName("g").item(0)).getAttribute("transform"))
        .isEqualTo("translate(0,0)");
  }

  /** Cells on the diagonal of 25 × 25; every other one has a label, in the middle of its column. */
  @Test
  void labelsOfAHeatMapStandBesideTheirCells() throws Exception {
    List<Integer> places = IntStream.rangeClosed(0, 24).boxed().toList();
    Chart map =
        new Chart.HeatMap(
            "map",
            "Map",
            "columns",
            "rows, upward",
            places,
            places,
            places.stream().map(at -> new Chart.HeatMap.Point(at, at, 1 + at)).toList());

    Document svg = parse(SvgCharts.draw(map).orElseThrow());

    List<Rectangle2D> cells = cells(svg);
    List<Rectangle2D> words = words(svg);
    double below = words.stream().mapToDouble(Rectangle2D::getCenterY).max().orElseThrow();
    // The title of the axis is the lowest; above it stand the labels.
    double line =
        words.stream()
            .mapToDouble(Rectangle2D::getMaxY)
            .filter(bottom -> bottom < below - 10)
            .max()
            .orElseThrow();
    assertThat(
            words.stream()
                .filter(each -> Math.abs(each.getMaxY() - line) < 2)
                .map(Rectangle2D::getCenterX)
                .sorted())
        .usingElementComparator(toTwoPixels())
        .isEqualTo(everyOther(cells, Rectangle2D::getCenterX));
    double left = cells.getFirst().getMinX();
    assertThat(
            words.stream()
                .filter(each -> each.getMaxX() < left && each.getHeight() < 12)
                .map(Rectangle2D::getCenterY)
                .sorted(Comparator.reverseOrder()))
        .filteredOn(at -> at <= cells.getFirst().getMaxY())
        .usingElementComparator(toTwoPixels())
        .isEqualTo(everyOther(cells, Rectangle2D::getCenterY));
  }

  private static Comparator<Double> toTwoPixels() {
    return (one, other) -> Math.abs(one - other) <= 2 ? 0 : Double.compare(one, other);
  }

  private static List<Double> everyOther(
      List<Rectangle2D> cells, Function<Rectangle2D, Double> middle) {
    return IntStream.iterate(0, i -> i < cells.size(), i -> i + 2)
        .mapToObj(i -> middle.apply(cells.get(i)))
        .toList();
  }

  /** The coloured rectangles of the map, from the left; those of the legend are the last. */
  private static List<Rectangle2D> cells(Document svg) {
    NodeList rectangles = svg.getElementsByTagName("rect");
    return IntStream.range(0, rectangles.getLength())
        .mapToObj(i -> (Element) rectangles.item(i))
        .filter(each -> each.getAttribute("style").contains("fill:rgb"))
        .map(each ->
            new Rectangle2D.Double(
                number(each, "x"),
                number(each, "y"),
                number(each, "width"),
                number(each, "height")))
        .map(Rectangle2D.class::cast)
        .filter(each -> each.getWidth() < 40)
        .sorted(Comparator.comparing(Rectangle2D::getX))
        .limit(25)
        .toList();
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  /** Where words are drawn: as outlines, moved to their places. */
  private static List<Rectangle2D> words(Document svg) {
    NodeList groups = svg.getElementsByTagName("g");
    List<Rectangle2D> words = new ArrayList<>();
    for (int i = 0; i < groups.getLength(); i++) {
      Element group = (Element) groups.item(i);
      NodeList paths = group.getElementsByTagName("path");
      Matcher moved =
          Pattern.compile("translate\\(([-0-9.]+) ([-0-9.]+)\\)")
              .matcher(group.getAttribute("transform"));
      if (moved.matches() && paths.getLength() == 1) {
        Path2D outline = new Path2D.Double();
        Pattern.compile("(-?[0-9.]+),(-?[0-9.]+)")
            .matcher(((Element) paths.item(0)).getAttribute("d"))
            .results()
            .forEach(point -> {
              double x = Double.parseDouble(point.group(1)) + Double.parseDouble(moved.group(1));
              double y = Double.parseDouble(point.group(2)) + Double.parseDouble(moved.group(2));
              if (outline.getCurrentPoint() == null) {
                outline.moveTo(x, y);
              } else {
                outline.lineTo(x, y);
              }
            });
        words.add(outline.getBounds2D());
      }
    }
    return words;
  }

  @Test
  void chartsArePaintedOneBelowTheOther() throws Exception {
    byte[] png = PngCharts.drawAll(List.of(LINES, BARS)).orElseThrow();

    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    assertThat(image.getWidth()).isEqualTo(PngImage.SCALE * ChartStyle.WIDTH);
    assertThat(image.getHeight()).isEqualTo(2 * PngImage.SCALE * XCharts.HEIGHT);
    for (int chart = 0; chart < 2; chart++) {
      BufferedImage part =
          image.getSubimage(
              0, chart * image.getHeight() / 2, image.getWidth(), image.getHeight() / 2);
      Set<Integer> colours =
          IntStream.range(0, part.getWidth())
              .flatMap(x -> IntStream.range(0, part.getHeight()).map(y -> part.getRGB(x, y)))
              .boxed()
              .collect(Collectors.toSet());
      assertThat(colours).contains(ChartStyle.MEASURED_COLOURS.getFirst().getRGB());
    }
  }

  private static double height(Document svg) {
    return Double.parseDouble(svg.getDocumentElement().getAttribute("height").replace("px", ""));
  }

  private static Document parse(String xml) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
  }
}
