package io.fieldstone.rlnc.fecframe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.fecframe.FecStreamTest.Adus;
import io.fieldstone.rlnc.fecframe.FecStreamTest.Datagram;
import io.fieldstone.rlnc.fecframe.FecStreamTest.Packets;
import io.fieldstone.rlnc.window.Delivery;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Packets of an independent implementation, and packets that it has decoded: see the resources. */
class PeerVectorsTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");
  private static final int SYMBOL_BYTES = 64;
  private static final int LARGEST_ADU = 61;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  /** Lines {@code S flow hex} and {@code R hex}. */
  private static List<Datagram> read(String resource) throws IOException {
    try (InputStream text = PeerVectorsTest.class.getResourceAsStream(resource)) {
      List<Datagram> datagrams = new ArrayList<>();
      for (String line : new String(text.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (!line.startsWith("#")) {
          String[] fields = line.split(" ");
          int flow = fields[0].equals("S") ? Integer.parseInt(fields[1]) : -1;
          byte[] bytes = HexFormat.of().parseHex(fields[fields.length - 1]);
          datagrams.add(new Datagram(flow, bytes));
        }
      }
      return datagrams;
    }
  }

  private static FecConfiguration configuration(int encodingId) {
    return new FecConfiguration(
        FecScheme.ofEncodingId(encodingId).orElseThrow(),
        new SchemeInformation(SYMBOL_BYTES, 191),
        List.of(0, 1));
  }

  /** Every tenth source packet and one more are lost, in ten ways; ESIs wrap. */
  @ParameterizedTest
  @CsvSource({"9, 7", "9, 15", "10, 5", "10, 15"})
  void packetsOfThePeerAreDecoded(int encodingId, int threshold) throws Exception {
    List<Datagram> sent = read("received-%d-%d.txt".formatted(encodingId, threshold));
    List<Datagram> sources = sent.stream().filter(datagram -> datagram.flow() >= 0).toList();
    for (int shift = 0; shift < 10; shift++) {
      Adus adus = new Adus();
      adus.expect(sources);
      FecReceiverSettings settings =
          new FecReceiverSettings(new WindowSizes(24, 32, 64), LARGEST_ADU, Delivery.AS_DECODED);
      int lost = 0;
      try (FecReceiver receiver = FecReceiver.open(ENGINE, configuration(encodingId), settings)) {
        for (int i = 0; i < sent.size(); i++) {
          Datagram datagram = sent.get(i);
          int source = sources.indexOf(datagram);
          if (source >= 0 && source % 5 == shift % 5 && source / 5 % 2 == shift / 5
              || source == 7) {
            lost++;
          } else {
            datagram.deliver(receiver, adus);
          }
        }
        assertThat(receiver.statistics().refused()).isZero();
        assertThat(receiver.statistics().damaged()).isZero();
        assertThat(receiver.statistics().solved())
            .isEqualTo(adus.delivered.size() - (sources.size() - lost));
      }
      // Repairs after every third packet, and a loss in ten. All ones solve single losses only.
      assertThat(adus.delivered.size())
          .isGreaterThanOrEqualTo(threshold == 15 && encodingId == 9 ? 40 : sources.size() - 2);
    }
  }

  /** The ADUs of packets that cu-fec has decoded. */
  private static Packets send(FecScheme scheme) {
    Packets packets = new Packets();
    FecSenderSettings settings =
        new FecSenderSettings(20, 0.75, scheme == FecScheme.GF2 ? 7 : 15, 1);
    try (FecSender sender =
        FecSender.open(ENGINE, configuration(scheme.encodingId()), settings, Wire.MAX_ESI - 20)) {
      for (int i = 0; i < 60; i++) {
        byte[] adu = new byte[i * 13 % (2 * LARGEST_ADU)];
        for (int j = 0; j < adu.length; j++) {
          adu[j] = (byte) (i * 31 + j * 7 + 1);
        }
        sender.send(i % 2, MemorySegment.ofArray(adu), packets);
      }
    }
    return packets;
  }

  /** If these bytes change, the peer has to decode the new ones. */
  @ParameterizedTest
  @EnumSource(FecScheme.class)
  void packetsAreThoseThatThePeerHasDecoded(FecScheme scheme) throws Exception {
    List<String> sent = send(scheme).sent.stream().map(PeerVectorsTest::line).toList();
    assertThat(sent)
        .isEqualTo(
            read("sent-%d.txt".formatted(scheme.encodingId())).stream()
                .map(PeerVectorsTest::line)
                .toList());
  }

  private static String line(Datagram datagram) {
    String hex = HexFormat.of().formatHex(datagram.bytes());
    return datagram.flow() < 0 ? "R " + hex : "S " + datagram.flow() + " " + hex;
  }
}
