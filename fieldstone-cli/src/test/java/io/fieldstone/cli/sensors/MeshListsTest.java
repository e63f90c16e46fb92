package io.fieldstone.cli.sensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Network;
import io.fieldstone.map.Own;
import io.fieldstone.map.Place;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of other programs: Meshtastic, MeshCore, AREDN, Freifunk, KML and KMZ. */
class MeshListsTest {

  private static final Own MAST = new Own(900, 12.5, 300);

  private final List<String> hints = new ArrayList<>();

  private PlaceList read(String text) throws MalformedSensorsException {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  private PlaceList read(byte[] bytes) throws MalformedSensorsException {
    return new PlaceReader(ListFormat.of(Coordinates.DEGREES), hints::add).read("file", bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Meshtastic maps: integers of 1e-7 degrees
        "{'a':{'longName':'A','latitude':501234567,'longitude':81234567},'b':{'longName':'B'}}",
        // the Python client of Meshtastic
        "{'x':{'user':{'id':'a'},'position':{'latitude':50.1234567,'longitude':8.1234567}},'b':{}}",
        "{'nodes':[{'node_id':'a','latitude':501234567,'longitude':81234567},{'node_id':'b'}]}",
        // MeshCore
        "[{'public_key':'a','adv_lat':50.1234567,'adv_lon':8.1234567},{'public_key':'b'}]",
        // AREDN
        "[{'node':'a','lat':'50.1234567','lon':'8.1234567'},{'node':'b','lat':'','lon':''}]",
        // Freifunk: meshviewer.json, and nodes.json of version 1
        "{'nodes':[{'node_id':'a','location':{'latitude':50.1234567,'longitude':8.1234567}},"
            + "{'node_id':'b'}],'links':[]}",
        "{'nodes':{'k':{'nodeinfo':{'node_id':'a','location':{'latitude':50.1234567,"
            + "'longitude':8.1234567}}},'b':{'nodeinfo':{}}}}"
      })
  void readsListsOfMeshNetworks(String text) throws Exception {
    PlaceList list = read(text.replace('\'', '"'));
    assertThat(list.places()).containsExactly(new Place("a", 8.1234567, 50.1234567));
    assertThat(list.coordinates()).isEqualTo(Coordinates.DEGREES);
    assertThat(hints).hasSize(1).first().asString().contains("1 node without a place left out");
  }

  @Test
  void oneNodeOfAredn() throws Exception {
    assertThat(read("{\"node\":\"K1\",\"lat\":\"34.5\",\"lon\":\"-118.25\"}").places())
        .containsExactly(new Place("K1", -118.25, 34.5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "[1,2]", "{\"nodes\":[{\"node_id\":\"a\"}]}", "{\"a\":3}"})
  void namesTheFormatsOfOtherJson(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessageContaining("neither GeoJSON nor a list of nodes with places");
  }

  @ParameterizedTest
  @CsvSource({"name", "longName", "node_id", "hostname", "callsign"})
  void usualColumnsAreIds(String column) throws Exception {
    assertThat(read(column + ",lat,lon\nx,50,8\n").places()).containsExactly(new Place("x", 8, 50));
  }

  private static final String KML =
      """
      <?xml version="1.0"?>
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>all</name>
      <Placemark><name>mast &amp; co</name><Point><coordinates> 8.5,50.25,120 </coordinates></Point></Placemark>
      <Placemark><name>mast &amp; co</name><Point><coordinates>9,51</coordinates></Point></Placemark>
      <Placemark><name>way</name><LineString><coordinates>8,50 9,51</coordinates></LineString></Placemark>
      </Document></kml>
      """;

  @Test
  void readsPlacemarksOfKml() throws Exception {
    assertThat(read(KML).places())
        .containsExactly(new Place("mast & co", 8.5, 50.25), new Place("mast & co-2", 9, 51));
    assertThat(hints)
        .containsExactly(
            "1 placemark without a point left out, such as lines and polygons, first line 5: file");
  }

  @Test
  void readsKmz() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("icon.png"));
      zip.putNextEntry(new ZipEntry("doc.kml"));
      zip.write(KML.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(read(bytes.toByteArray()).places()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<gpx/> | XML of 'gpx', not KML: file",
        "<kml><Placemark> | not KML: malformed XML: file, line 1",
        "<kml></kml> | no sensors: file",
        "<kml><Placemark><Point><coordinates>8</coordinates></Point></Placemark></kml>"
            + " | the point '8' is not longitude,latitude: file, line 1",
        "<kml><Placemark><Point><coordinates>8,95</coordinates></Point></Placemark></kml>"
            + " | lat 95 is not in -90…90: file, line 1"
      })
  void namesWhatIsWrongWithKml(String text, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessage(message);
  }

  /** A list of another version, whose members have other names. */
  @Test
  void nodesWithoutKnownMembersAreCounted() {
    String text = "{\"a\":{\"pos\":{\"n\":50,\"e\":8}},\"b\":{\"pos\":{\"n\":51,\"e\":8}}}";
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(MalformedSensorsException.class)
        .hasMessageEndingWith(
            "; none of 2 nodes has latitude and longitude, the first is node 1 'a': file");
  }

  /** An entity of a DTD could read files of this machine. */
  @Test
  void entitiesAreNotRead() {
    String text =
        "<!DOCTYPE kml [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><kml><Placemark><name>&e;</name>"
            + "<Point><coordinates>8,50</coordinates></Point></Placemark></kml>";
    assertThatThrownBy(() -> read(text)).isInstanceOf(MalformedSensorsException.class);
  }

  @Test
  void namesAnArchiveThatIsNone() {
    assertThatThrownBy(() -> read(new byte[] {'P', 'K', 3, 4, 0}))
        .isInstanceOf(MalformedSensorsException.class);
  }

  @Test
  void plansAreKmlThatIsReadAgain() throws Exception {
    Network network = SmallPlan.of("<a>", MAST);
    for (byte[] bytes : List.of(PlanKml.of(network), PlanKml.archive(network))) {
      assertThat(read(bytes).places())
          .containsExactly(
              new Place("<a>", 8, 50, "sensor", Own.NONE),
              new Place("relay-1", 8.01, 50, "site", MAST));
    }
    assertThat(PlanKml.archive(network)).isEqualTo(PlanKml.archive(network));
  }
}
