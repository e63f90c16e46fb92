package io.fieldstone.cli.sensors;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Own;
import io.fieldstone.map.Place;
import io.fieldstone.map.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlaceReaderTest {

  private static final String GEOJSON =
      """
      {"type": "FeatureCollection", "name": "any", "features": [
        {"type": "Feature", "id": "a", "properties": null,
         "geometry": {"type": "Point", "coordinates": [13.5, 52.25, 30]}},
        {"type": "Feature", "properties": {"id": 7, "other": [1, {"x": true}]},
         "geometry": {"type": "Point", "coordinates": [-13.5, -52.25]}},
        {"type": "Feature", "properties": {},
         "geometry": {"type": "Point", "coordinates": [1e1, 2]}},
        {"type": "Feature", "id": "m", "properties": {},
         "geometry": {"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]}}
      ]}
      """;

  private static final String CSV =
      "id,x,y,\"a note\"\r\n"
          + "a,1.5,-2,\r\n"
          + "\"b, \"\"quoted\"\"\",1e3,.25,\"two\r\n"
          + "lines\"\r\n\r\n"
          + "c,+3,4.\r\n";

  private static PlaceList read(String text) throws MalformedSensorsException {
    return read(text, Coordinates.DEGREES);
  }

  private static PlaceList read(String text, Coordinates geoJson) throws MalformedSensorsException {
    return read(text, ListFormat.of(geoJson), new ArrayList<>());
  }

  private static PlaceList read(String text, ListFormat format, List<String> hints)
      throws MalformedSensorsException {
    return new PlaceReader(format, hints::add).read("file", text.getBytes(StandardCharsets.UTF_8));
  }

  /** The same quantities in columns, properties and extended data, by their usual names. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "id,lat,lon,range,height,cost\na,50,8,900,12.5,300\nb,51,9,,,7\n",
        "id,lat,lon,Range_m,Antenna_Height,price\na,50,8,900,12.5,300\nb,51,9,,,7\n",
        "{'type':'FeatureCollection','features':[{'type':'Feature','id':'a','properties':"
            + "{'range':900,'height':'12.5','cost':3e2},'geometry':{'type':'Point','coordinates':"
            + "[8,50]}},{'type':'Feature','id':'b','properties':{'range':null,'height':'',"
            + "'price':7},'geometry':{'type':'Point','coordinates':[9,51]}}]}",
        "<kml><Placemark><name>a</name><ExtendedData><Data name='Range'><displayName>r"
            + "</displayName><value>900</value></Data><SchemaData><SimpleData name='height'>12.5"
            + "</SimpleData></SchemaData><Data name='cost'><value>300</value></Data></ExtendedData>"
            + "<Point><coordinates>8,50</coordinates></Point></Placemark><Placemark><name>b</name>"
            + "<ExtendedData><Data name='cost'><value>7</value></Data></ExtendedData><Point>"
            + "<coordinates>9,51</coordinates></Point></Placemark></kml>"
      })
  void readsWhatPlacesHaveOfTheirOwn(String text) throws MalformedSensorsException {
    PlaceList list = read(text.startsWith("{") ? text.replace('\'', '"') : text);
    assertThat(list.places())
        .extracting(Place::own)
        .containsExactly(new Own(900, 12.5, 300), new Own(Double.NaN, Double.NaN, 7));
    assertThat(list.field().equipment().range(0, 1)).isEqualTo(900);
    assertThat(list.field().equipment().cost(1)).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "-5,1,1 | -5 in column 'range' is not greater than 0 and finite: file, line 3",
        "0,1,1 | 0 in column 'range' is not greater than 0 and finite: file, line 3",
        "1e999,1,1 | 1e999 in column 'range' is not greater than 0 and finite: file, line 3",
        "far,1,1 | 'far' in column 'range' is not a number: file, line 3",
        "1,-1,1 | -1 in column 'height' is not in 0…10000: file, line 3",
        "1,10001,1 | 10001 in column 'height' is not in 0…10000: file, line 3",
        "1,1,12 € | '12 €' in column 'cost' is not a number: file, line 3",
        "1,1,-2 | -2 in column 'cost' is not greater than 0 and finite: file, line 3",
        "1,1,0 | 0 in column 'cost' is not greater than 0 and finite: file, line 3",
        "1,1, | no cost, which others have: file, line 3"
      })
  void wrongQuantitiesAreNamed(String values, String message) {
    String text = "id,x,y,range,height,cost\na,1,2,3,4,5\nb,1,2," + values + "\n";
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(MalformedSensorsException.class)
        .extracting(Throwable::getMessage)
        .isEqualTo(message);
  }

  @Test
  void wrongPropertiesAndDataAreNamed() {
    String feature =
        "{\"type\":\"Feature\",\"properties\":{\"height\":[1]},\"geometry\":{\"type\":\"Point\","
            + "\"coordinates\":[8,50]}}";
    assertThatThrownBy(() -> read(feature))
        .hasMessage("'[1]' in property 'height' is not a number: file, top level");
    String kml =
        "<kml>\n<Placemark><ExtendedData><Data name='range'><value>5 km</value></Data>"
            + "</ExtendedData><Point><coordinates>8,50</coordinates></Point></Placemark></kml>";
    assertThatThrownBy(() -> read(kml))
        .hasMessage("'5 km' in data 'range' is not a number: file, line 2");
  }

  /** A quantity that has no effect is not read; one hint names it. */
  @Test
  void unusedQuantitiesAreNamed() throws MalformedSensorsException {
    ListFormat format =
        ListFormat.of(Coordinates.DEGREES).without(Map.of(Quantity.RANGE, "without --dem"));
    List<String> hints = new ArrayList<>();
    PlaceList list = read("id,x,y,range,range_km\na,1,2,far,1\nb,2,1,,\n", format, hints);
    assertThat(list.places()).extracting(Place::own).containsOnly(Own.NONE);
    assertThat(hints)
        .containsExactly(
            "column 'range' has no effect without --dem: file",
            "column 'range_km' is not read: range is in the unit of --range, height in metres:"
                + " file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\uFEFF", "\n\n"})
  void readsCsv(String before) throws MalformedSensorsException {
    PlaceList list = read(before + CSV);

    assertThat(list.coordinates()).isEqualTo(Coordinates.PLANAR);
    assertThat(list.places())
        .containsExactly(
            new Place("a", 1.5, -2), new Place("b, \"quoted\"", 1000, 0.25), new Place("c", 3, 4));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lon,id,lat\n13.5,a,52",
        "Latitude;ID;Longitude\n52;a;13.5\n",
        "id\tlat\tlng\textra\na\t52\t13.5\t",
        "id , lat , long\r\n a , 52 , 13.5",
        "id,ident,latitude_deg,longitude_deg,dme_latitude_deg\na,b,52,13.5,",
      })
  void findsColumnsByName(String csv) throws MalformedSensorsException {
    PlaceList list = read(csv);

    assertThat(list.coordinates()).isEqualTo(Coordinates.DEGREES);
    assertThat(list.places()).containsExactly(new Place("a", 13.5, 52));
    assertThat(list.field().projection()).isPresent();
  }

  @Test
  void namesMayHaveUnits() throws MalformedSensorsException {
    assertThat(read("id,x_m,y_m\na,1,2").places()).containsExactly(new Place("a", 1, 2));
    assertThat(read("id,x_m,y_m,x,y\na,1,2,3,4").places()).containsExactly(new Place("a", 3, 4));
  }

  @Test
  void numbersAreDecimal() throws MalformedSensorsException {
    assertThat(read("id,x,y\na,+1.,-.5e-1\nb,007,1E+2").places())
        .containsExactly(new Place("a", 1, -0.05), new Place("b", 7, 100));
    for (String odd :
        List.of("0x1p3", "NaN", "Infinity", "1d", "1f", "1e", ".", "-", "--1", "e5")) {
      assertThatThrownBy(() -> read("id,x,y\na,1," + odd))
          .isInstanceOf(MalformedSensorsException.class)
          .hasMessage("'%s' in column 'y' is not a number: file, line 2".formatted(odd));
    }
  }

  /** More digits than a double has an exponent for. */
  @Test
  void refusesNumbersThatAreTooLarge() {
    for (String number : List.of("9".repeat(400), "-" + "9".repeat(999), "1" + "0".repeat(308))) {
      assertThatThrownBy(() ->
              read("{\"type\":\"Point\",\"coordinates\":[1," + number + "]}", Coordinates.PLANAR))
          .isInstanceOf(MalformedSensorsException.class)
          .hasMessageContaining("is not in -1000000000000000…1000000000000000: file");
    }
  }

  private static PlaceList read(String csv, String first, String second)
      throws MalformedSensorsException {
    ListFormat format =
        ListFormat.of(Coordinates.DEGREES).withColumns(Optional.of(new Columns(first, second)));
    return read(csv, format, new ArrayList<>());
  }

  @Test
  void columnsMayBeNamed() throws MalformedSensorsException {
    String csv = "id,lat,lon,x_m,y_m,up\na,52,13.5,100,200,7";

    PlaceList planar = read(csv, "x_m", " Y_M");
    assertThat(planar.coordinates()).isEqualTo(Coordinates.PLANAR);
    assertThat(planar.places()).containsExactly(new Place("a", 100, 200));
    for (PlaceList degrees : List.of(read(csv, "lat", "lon"), read(csv, "LON", "lat"))) {
      assertThat(degrees.coordinates()).isEqualTo(Coordinates.DEGREES);
      assertThat(degrees.places()).containsExactly(new Place("a", 13.5, 52));
    }
    assertThat(read(csv, "up", "lat").places()).containsExactly(new Place("a", 7, 52));
    assertThat(read("id,x_m,x_km,y\na,1,2,3", "x_km", "y").places())
        .containsExactly(new Place("a", 2, 3));
    assertThatThrownBy(() -> read(csv, "east", "north"))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessage("no column 'east': file, with the header id,lat,lon,x_m,y_m,up");
    assertThatThrownBy(() -> read("id,x,X,y\na,1,2,3", "x", "y"))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessageContaining("more than one column 'x'");
  }

  @Test
  void messagesHaveExcerptsOnly() {
    assertThatThrownBy(() -> read("id,x,y\na,1," + "z".repeat(100_000)))
        .hasMessageMatching("'z{60}…' in column 'y' is not a number: file, line 2");
    assertThatThrownBy(() -> read("id," + "z".repeat(100_000)))
        .hasMessageMatching(
            "no columns x, y or lat, lon; select two with --columns: file, with the header"
                + " id,z{57}…");
  }

  @Test
  void readsGeoJson() throws MalformedSensorsException {
    assertThat(read(GEOJSON).places())
        .containsExactly(
            new Place("a", 13.5, 52.25),
            new Place("7", -13.5, -52.25),
            new Place("3", 10, 2),
            new Place("m-1", 1, 2),
            new Place("m-2", 3, 4));
    String point = "{\"type\":\"Point\",\"coordinates\":[1000,2000]}";
    assertThat(read(point, Coordinates.PLANAR))
        .isEqualTo(new PlaceList("file", List.of(new Place("1", 1000, 2000)), Coordinates.PLANAR));
    assertThat(
            read("{\"type\":\"Feature\",\"id\":5,\"geometry\":{\"type\":\"MultiPoint\","
                    + "\"coordinates\":[[1,2]]}}")
                .places())
        .containsExactly(new Place("5", 1, 2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | empty file: file",
        "` \n ` | empty file: file",
        "id,x,y | no sensors: file",
        "id,x;a,1 | no columns x, y or lat, lon; select two with --columns: file, with the header"
            + " id,x",
        "x,y;1,2 | no column 'id'; select another with --id: file, with the header x,y",
        "id,x,y,lat,lon;a,1,2,3,4 | ambiguous columns x, y and lat, lon; select two with --columns:"
            + " file",
        "id,x,X,y;a,1,2,3 | ambiguous columns 'x' and 'X'; select two with --columns: file",
        "id,x,y;a,1,2;b,one,2 | 'one' in column 'x' is not a number: file, line 3",
        "id,x,y;a,1,NaN | 'NaN' in column 'y' is not a number: file, line 2",
        "id,x,y;a,1, | no number in column 'y': file, line 2",
        "id,x,y;a,0x1p3,2 | '0x1p3' in column 'x' is not a number: file, line 2",
        "id,x,y;a,1 | 2 fields, none in column 'y': file, line 2",
        "id,x,y;a,1,2,3 | 4 fields, the header has 3: file, line 2",
        "id,x,y; ,1,2 | no id: file, line 2",
        "id,x,y;a,1,2;a,1,2 | duplicate id 'a', first used in line 2: file, line 3",
        "id,x,y;a,1e16,2 | x 1.0E16 is not in -1000000000000000…1000000000000000",
        "id,x,y;a,1e999,2 | x Infinity is not in",
        "id,lat,lon;a,90.5,2 | lat 90.5 is not in -90…90: file, line 2",
        "id,lat,lon;a,9,361 | lon 361 is not in -360…360: file, line 2",
        "id,x,y;\"a,1,2 | not CSV: ",
        "{ | not JSON: unexpected end-of-input: expected close marker for Object: file, line 1,"
            + " column 2",
        "{\"type\":\"Point\",\"coordinates\":[1,2} | not JSON: unexpected close marker '}':"
            + " expected ']': file, line 1, column 35",
        "{\"type\":\"Point\" \"id\":1} | not JSON: unexpected character ('\"' (code 34)): was"
            + " expecting comma to separate Object entries: file, line 1, column 17",
        "{\"type\":Point} | not JSON: unrecognized token 'Point'",
        "[1,2] | neither GeoJSON nor a list of nodes with places",
        "{\"type\":\"Topology\"} | but type 'Topology': file",
        "{\"type\":\"FeatureCollection\"} | a FeatureCollection without features: file",
        "{\"type\":\"FeatureCollection\",\"features\":[]} | no sensors: file",
        "{\"type\":\"FeatureCollection\",\"features\":[3]} | not a Feature: file, feature 1",
        "{\"type\":\"Feature\",\"geometry\":null} | a feature without a geometry: file, top level",
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\"}} | a LineString, not a Point",
        "{\"type\":\"Point\",\"coordinates\":[1]} | coordinates [1] are not two numbers: file",
        "{\"type\":\"Point\",\"coordinates\":[\"1\",2]} | are not two numbers: file",
        "{\"type\":\"Point\"} | coordinates (none) are not two numbers: file",
        "{\"type\":\"Point\",\"coordinates\":[1e999,2]} | lon Infinity is not in -360…360: file",
        "{\"type\":\"Point\",\"coordinates\":[1,91]} | lat 91 is not in -90…90: file",
        "{\"type\":\"Point\",\"coordinates\":[1,2]} x | not JSON: unrecognized token 'x'",
        "{\"type\":\"Point\",\"coordinates\":[1,2]} {} | not JSON: text after the end of the value:"
            + " file, line 1, column 38",
        "{\"type\":\"MultiPoint\",\"coordinates\":3} | a MultiPoint without coordinates",
      })
  void namesTheProblemAndThePlace(String text, String message) {
    String lines = text.startsWith("{") ? text : text.replace(';', '\n');

    assertThatThrownBy(() -> read(lines))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("file")
        .message()
        .doesNotContain("Source", "`", "Feature.");
  }

  @Test
  void refusesTextThatIsNestedTooDeeply() {
    assertThatThrownBy(() -> read("{\"type\":" + "[".repeat(2000)))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessage(
            "not JSON: document nesting depth (501) exceeds the maximum allowed (500): file");
  }

  @Test
  void rejectsFilesThatAreNotText() {
    byte[] bytes = {'i', 'd', ',', 'x', ',', 'y', '\n', (byte) 0xE4, ',', '1', ',', '2'};
    assertThatThrownBy(
            () -> new PlaceReader(ListFormat.of(Coordinates.PLANAR), _ -> {}).read("file", bytes))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessage("not a text file in UTF-8: file");
  }

  @Test
  void sitesAreOfTheKindOfTheSensors() throws MalformedSensorsException {
    PlaceList degrees = read("id,lat,lon\na,1,2");
    PlaceList planar = read("id,x,y\na,1,2");

    assertThat(degrees.alongside(degrees, degrees.field()).size()).isOne();
    assertThatThrownBy(() -> planar.alongside(degrees, degrees.field()))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessage("coordinates x, y, but file has lon, lat: file");
  }

  private static final ListFormat DEGREES = ListFormat.of(Coordinates.DEGREES);

  @Test
  void idsMayHaveAnotherName() throws MalformedSensorsException {
    ListFormat named = DEGREES.withId(Optional.of("Name"));

    assertThat(read("name,id,x,y\na,1,2,3", named, new ArrayList<>()).places())
        .containsExactly(new Place("a", 2, 3));
    String feature =
        """
        {"type": "Feature", "id": 1, "properties": {"Name": "b"},
         "geometry": {"type": "Point", "coordinates": [2, 3]}}
        """;
    assertThat(read(feature, named, new ArrayList<>()).places())
        .containsExactly(new Place("b", 2, 3));
    assertThatThrownBy(() -> read("id,x,y\na,1,2", named, new ArrayList<>()))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessage("no column 'Name': file, with the header id,x,y");
    assertThatThrownBy(() -> read(feature.replace("Name", "name"), named, new ArrayList<>()))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessageContaining("no property 'Name': file");
    assertThatThrownBy(() -> read("title,x,y\na,1,2"))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessageContaining("no column 'id'; select another with --id");
  }

  /** The middle of a UTM zone and the edges of web maps, which are exact by definition. */
  @Test
  void convertsProjectedCoordinates() throws MalformedSensorsException {
    ListFormat utm33 = DEGREES.withCrs(Optional.of(ProjectedCrs.of("epsg:25833")));

    PlaceList list = read("id,x,y\na,500000,0\nb,500000,5000000", utm33, new ArrayList<>());
    assertThat(list.coordinates()).isEqualTo(Coordinates.DEGREES);
    assertThat(list.places().get(0).first()).isCloseTo(15, within(1e-9));
    assertThat(list.places().get(0).second()).isCloseTo(0, within(1e-9));
    assertThat(list.places().get(1).second()).isCloseTo(45.1534, within(1e-3));

    ProjectedCrs mercator = ProjectedCrs.of("3857");
    // The edge of the square that web maps show: half a turn of the equator's radius.
    assertThat(mercator.toDegrees(6_378_137 * Math.PI, 0)[0]).isCloseTo(180, within(1e-9));
    double[] back = mercator.fromDegrees(13.4, 52.5);
    double[] degrees = mercator.toDegrees(back[0], back[1]);
    assertThat(degrees[0]).isCloseTo(13.4, within(1e-9));
    assertThat(degrees[1]).isCloseTo(52.5, within(1e-9));
    assertThat(ProjectedCrs.of("+proj=utm +zone=33 +ellps=GRS80").toDegrees(500000, 0)[0])
        .isCloseTo(15, within(1e-9));
    String point = "{\"type\": \"Point\", \"coordinates\": [500000, 0]}";
    assertThat(read(point, utm33, new ArrayList<>()).places().getFirst().first())
        .isCloseTo(15, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"EPSG:99999", "EPSG:x", "ESRI:102001", "", "+proj=nowhere", "../x", "+"})
  void refusesUnknownSystems(String name) {
    assertThatThrownBy(() -> ProjectedCrs.of(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "' is no known coordinate reference system");
  }

  @Test
  void refusesPlacesThatASystemDoesNotHave() {
    ListFormat utm33 = DEGREES.withCrs(Optional.of(ProjectedCrs.of("EPSG:25833")));

    assertThatThrownBy(() -> read("id,x,y\na,1e14,1e14", utm33, new ArrayList<>()))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessageContaining("file, line 2");
    assertThatThrownBy(() -> read("id,lat,lon\na,1,2", utm33, new ArrayList<>()))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessageContaining("--crs needs x, y");
  }

  @Test
  void leavesOutPlacesOutsideABox() throws MalformedSensorsException {
    List<String> hints = new ArrayList<>();
    ListFormat box = DEGREES.within(Optional.of(Box.parse("170, -10,190,10")));

    PlaceList list = read("id,lon,lat\na,170,10\nb,-175,0\nc,0,0\nd,180,11", box, hints);

    assertThat(list.places()).extracting(Place::id).containsExactly("a", "b");
    assertThat(hints)
        .containsExactly("2 places outside --within left out, first 'c': file, line 4");
    assertThatThrownBy(() -> read("id,x,y\na,-175,0", box, hints))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessage("no sensors inside --within: file");
  }

  /** Their numbers count those that are left out. */
  @Test
  void featuresWithoutIdsAreNumbered() throws MalformedSensorsException {
    ListFormat box = DEGREES.within(Optional.of(Box.parse("0,0,10,10")));
    String point = "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[%s]}}";
    String features =
        Stream.of("1,1", "50,50", "2,2", "3,3").map(point::formatted).collect(joining(","));

    PlaceList list =
        read(
            "{\"type\":\"FeatureCollection\",\"features\":[" + features + "]}",
            box,
            new ArrayList<>());

    assertThat(list.places()).extracting(Place::id).containsExactly("1", "3", "4");
  }

  @Test
  void degreesAreNotPlanar() {
    ListFormat planar = ListFormat.of(Coordinates.PLANAR);
    assertThatThrownBy(() -> read("id,lat,lon\na,1,2", planar, new ArrayList<>()))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessageContaining("where --planar needs x, y");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1,2,3", "1,2,3,4,5", "1,2,x,4", "3,2,1,4", "1,4,3,2", "1,2,,4"})
  void refusesBoxesThatAreNone(String text) {
    assertThatThrownBy(() -> Box.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void namesPlacesFarFromAllOthers() throws MalformedSensorsException {
    String near = "id,lat,lon\na,52.1,13.1\nb,52.2,13.3\nc,52.3,13.2\nd,52.2,13.1\n";
    List<String> hints = new ArrayList<>();

    read(near, DEGREES, hints);
    assertThat(hints).isEmpty();
    read(near + "e,13.2,52.2\nf,0,0\ng,-52.2,13.2\nh,80,13\n", DEGREES, hints);
    assertThat(hints).as("half of the places are elsewhere").isEmpty();

    read(near + "e,13.2,52.2\n", DEGREES, hints);
    assertThat(hints).hasSize(1);
    assertThat(hints.getFirst())
        .startsWith("'e' is 5548 km from the middle of all places; its coordinates may be swapped")
        .endsWith("(--within leaves out places outside a box): file, line 6");
    hints.clear();
    read(near + near.substring(11).replaceAll("(?m)^", "n") + "f,0,0\n", DEGREES, hints);
    assertThat(hints.getFirst()).contains("'f' is ", "0, 0 may mean an unknown place", "line 10");
  }

  @Test
  void severalSensorsAtAPlaceMakeNoOtherFar() throws MalformedSensorsException {
    StringBuilder csv = new StringBuilder("id,x,y\n");
    for (int i = 0; i < 70; i++) {
      csv.append("mast%d,0,0\n".formatted(i));
    }
    for (int i = 0; i < 30; i++) {
      csv.append("n%d,%d,%d\n".formatted(i, i < 10 ? 1 : 50 * i, i % 7));
    }
    List<String> hints = new ArrayList<>();
    read(csv.toString(), ListFormat.of(Coordinates.PLANAR), hints);
    assertThat(hints).isEmpty();

    read(csv + "far,1e6,0\n", ListFormat.of(Coordinates.PLANAR), hints);
    assertThat(hints).singleElement().asString().startsWith("'far' is 9.992e+05 from the middle");
  }

  @Test
  void manyFarPlacesAreNoError() throws MalformedSensorsException {
    StringBuilder csv = new StringBuilder("id,x,y\n");
    for (int i = 0; i < 100; i++) {
      csv.append("n%d,%d,%d\n".formatted(i, i, i < 80 ? 0 : 10_000 * i));
    }
    List<String> hints = new ArrayList<>();
    read(csv.toString(), ListFormat.of(Coordinates.PLANAR), hints);
    assertThat(hints).isEmpty();
  }

  private static String geoJson(String members, String... features) {
    return "{\"type\":\"FeatureCollection\",%s\"features\":[%s]}"
        .formatted(members, String.join(",", features));
  }

  private static final String FEATURE =
      "{\"type\":\"Feature\",\"id\":\"a\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[13,52]}}";

  private static String crs(String name) {
    return "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"%s\"}},".formatted(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "urn:ogc:def:crs:OGC:1.3:CRS84",
        "urn:ogc:def:crs:OGC::CRS84",
        "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
        "EPSG:4326",
        "urn:ogc:def:crs:EPSG::4326",
        "urn:ogc:def:crs:EPSG:6.6:4326",
        "http://www.opengis.net/def/crs/EPSG/0/4326"
      })
  void readsGeoJsonWhoseCrsIsDegrees(String name) throws MalformedSensorsException {
    assertThat(read(geoJson(crs(name), FEATURE)).places()).containsExactly(new Place("a", 13, 52));
  }

  @ParameterizedTest
  @ValueSource(strings = {"urn:ogc:def:crs:EPSG::25832", "EPSG:25832", "epsg:25832"})
  void refusesGeoJsonOfAnotherCrsAndNamesTheOption(String name) throws MalformedSensorsException {
    String text = geoJson(crs(name), FEATURE);
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessage(
            "its crs is %s, not degrees of WGS 84; --crs EPSG:25832 reads it: file"
                .formatted(name));
    assertThatThrownBy(() -> read(text, crsFormat("EPSG:3857"), new ArrayList<>()))
        .hasMessage("its crs is %s, not --crs EPSG:3857: file".formatted(name));
    assertThat(read(text, crsFormat("25832"), new ArrayList<>()).places()).hasSize(1);
    assertThat(read(text, Coordinates.PLANAR).coordinates()).isEqualTo(Coordinates.PLANAR);
  }

  private static ListFormat crsFormat(String name) {
    return DEGREES.withCrs(Optional.of(ProjectedCrs.of(name)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{\"type\":\"link\",\"properties\":{\"href\":\"http://example.com/crs/42\"}}",
        "{\"type\":\"name\",\"properties\":{\"name\":\"DHDN\"}}"
      })
  void refusesGeoJsonOfAnUnknownCrs(String crs) throws MalformedSensorsException {
    String text = geoJson("\"crs\":" + crs + ",", FEATURE);
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessageStartingWith("its crs ")
        .hasMessageEndingWith(" is unknown; --crs or --planar says what the coordinates are: file");
    assertThat(read(text, Coordinates.PLANAR).places()).hasSize(1);
  }

  @Test
  void leavesOutFeaturesWithoutAGeometry() throws MalformedSensorsException {
    String none = "{\"type\":\"Feature\",\"geometry\":null,\"properties\":{}}";
    String empty = "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[]}}";
    List<String> hints = new ArrayList<>();
    assertThat(read(geoJson("", FEATURE, none, empty), DEGREES, hints).places()).hasSize(1);
    assertThat(hints)
        .containsExactly("2 features without a geometry left out, first: file, feature 2");
    assertThatThrownBy(() -> read(geoJson("", empty, none)))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessage("a feature without a geometry: file, feature 1");
  }

  @Test
  void namesTheFormatOfATextInXml() {
    assertThatThrownBy(() -> read("<?xml version=\"1.0\"?>\n<gpx><wpt/></gpx>"))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessage("XML of 'gpx', not KML: file");
  }

  @Test
  void namesThreeOutliersAtMost() throws MalformedSensorsException {
    StringBuilder csv = new StringBuilder("id,x,y\n");
    for (int i = 0; i < 40; i++) {
      csv.append("n%d,%d,%d\n".formatted(i, i % 7, i % 5));
    }
    for (int i = 0; i < 5; i++) {
      csv.append("far%d,%d,1e6\n".formatted(i, i));
    }
    List<String> hints = new ArrayList<>();
    read(csv.toString(), ListFormat.of(Coordinates.PLANAR), hints);

    assertThat(hints).hasSize(4);
    assertThat(hints.getFirst()).startsWith("'far0' is 1.000e+06 from the middle of all places (");
    assertThat(hints.getLast()).isEqualTo("2 more places are as far away: file");
    hints.clear();
    read("id,x,y\na,1,1\nb,1,1\nc,1,1\nd,1,1\ne,9,9", ListFormat.of(Coordinates.PLANAR), hints);
    assertThat(hints).as("no distance is usual").isEmpty();
  }

  /** A file with any change is read or gives one kind of error. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void survivesDamage(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int read = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = (i % 2 == 0 ? CSV : GEOJSON).getBytes(StandardCharsets.UTF_8);
      bytes = damaged(random, bytes);
      try {
        PlaceList list =
            new PlaceReader(ListFormat.of(Coordinates.values()[i % 2]), _ -> {})
                .read("file", bytes);
        assertThat(list.places()).isNotEmpty();
        assertThat(list.field().size()).isEqualTo(list.places().size());
        read++;
      } catch (MalformedSensorsException e) {
        assertThat(e).hasMessageContaining("file");
      }
    }
    assertThat(read).isPositive().isLessThan(2000);
  }

  private static byte[] damaged(SplittableRandom random, byte[] bytes) {
    byte[] damaged = bytes.clone();
    String likely = "\",;{}[]:\n\r\t 0123456789eE+-.naN\\\u0000";
    for (int n = random.nextInt(1, 4); n > 0; n--) {
      int at = random.nextInt(damaged.length);
      switch (random.nextInt(4)) {
        case 0 -> damaged[at] = (byte) random.nextInt(256);
        case 1 -> damaged[at] = (byte) likely.charAt(random.nextInt(likely.length()));
        case 2 -> damaged = Arrays.copyOf(damaged, at + 1);
        default -> {
          int length = Math.min(random.nextInt(1, 30), damaged.length - at);
          int from = random.nextInt(damaged.length - length + 1);
          System.arraycopy(damaged, from, damaged, at, length);
        }
      }
    }
    return damaged;
  }
}
