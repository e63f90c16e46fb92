package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.impairment.PollutingServer;
import io.fieldstone.net.server.Server;
import io.fieldstone.net.server.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events that a Flight Recording of a transfer contains. */
class EventsTest {

  private static final int GENERATION = 64 * ServerSettings.DEFAULT_BLOCK_SIZE;

  @TempDir Path folder;

  private static List<RecordedEvent> of(List<RecordedEvent> events, String name, String peer) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("fieldstone." + name))
        .filter(event -> event.getString("peer").endsWith(peer))
        .toList();
  }

  private static List<RecordedEvent> ofObject(
      List<RecordedEvent> events, String name, String object) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("fieldstone." + name))
        .filter(event -> event.getString("object").equals(object))
        .toList();
  }

  /** Other tests of this JVM make events, too. */
  @Test
  void aTransferAndAConvictionAreRecorded() throws Exception {
    Path recorded = folder.resolve("recorded.jfr");
    String object;
    String server;
    String evil;
    try (Recording recording = new Recording()) {
      for (String name :
          List.of(
              "ConnectionOpened",
              "ConnectionClosed",
              "GenerationLoad",
              "GenerationVerify",
              "Rate",
              "PeerConvicted")) {
        recording.enable("fieldstone." + name).withThreshold(Duration.ZERO);
      }
      recording.start();
      try (Loopback net = new Loopback(folder)) {
        Path file = net.write("files/a.bin", 20 * GENERATION + 13);
        Server honest = net.serve("server", file);
        object = honest.catalogue().getFirst().id().toString();
        server = ":" + honest.address().getPort();
        ServerSettings settings = ServerSettings.of(List.of(file), net.endpoint("evil"));
        try (PollutingServer polluter = PollutingServer.start(net.engine, settings, 1)) {
          evil = ":" + polluter.address().getPort();
          net.fetched(
              // At this rate the polluter cannot be left out before the other has sent everything.
              net.settings(
                      "a.bin",
                      List.of(
                          Loopback.at(honest.address().getPort()),
                          Loopback.at(polluter.address().getPort())))
                  .withPacing(1_000_000, false),
              file);
        }
      }
      recording.stop();
      recording.dump(recorded);
    }
    assertThat(Files.size(recorded)).isPositive();
    List<RecordedEvent> events = RecordingFile.readAllEvents(recorded);

    // On a busy machine, another connection may replace one over which nothing arrives.
    assertThat(of(events, "ConnectionOpened", server)).isNotEmpty();
    assertThat(of(events, "ConnectionClosed", server)).isNotEmpty();
    assertThat(of(events, "ConnectionOpened", evil)).isNotEmpty();
    List<RecordedEvent> loads = ofObject(events, "GenerationLoad", object);
    assertThat(loads).isNotEmpty().allMatch(event -> event.getBoolean("succeeded"));
    assertThat(loads).anyMatch(event -> event.getLong("bytes") == GENERATION);
    List<RecordedEvent> verified = ofObject(events, "GenerationVerify", object);
    assertThat(verified.stream().map(event -> event.getInt("generation")).distinct()).hasSize(21);
    assertThat(events)
        .anyMatch(event ->
            event.getEventType().getName().equals("fieldstone.Rate")
                && event.getLong("bytesPerSecond") > 0
                && event.getDouble("loss") <= 1);
    List<RecordedEvent> convictions = of(events, "PeerConvicted", evil);
    assertThat(convictions).hasSize(1);
    assertThat(convictions.getFirst().getBoolean("banned")).isTrue();
    assertThat(convictions.getFirst().getString("reason")).contains("sent wrong bytes");
  }
}
