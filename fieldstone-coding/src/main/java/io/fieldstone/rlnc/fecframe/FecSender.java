package io.fieldstone.rlnc.fecframe;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.window.SymbolFraming;
import io.fieldstone.rlnc.window.WindowCode;
import io.fieldstone.rlnc.window.WindowEncoder;
import io.fieldstone.rlnc.window.WindowShape;
import java.lang.foreign.MemorySegment;

/**
 * Turns ADUs into FEC source packets and FEC repair packets, at a fixed code rate.
 *
 * {@snippet :
 * FecConfiguration configuration = FecConfiguration.of(FecScheme.GF256, 1316);
 * FecSenderSettings settings = FecSenderSettings.of(FecScheme.GF256, 75, 0.8);
 * try (FecSender sender = FecSender.open(engine, configuration, settings)) {
 *   sender.send(0, adu, packets); // packets.source(…) once, packets.repair(…) every fourth time
 * }
 * }
 *
 * <p>A repair symbol combines all source symbols of the encoding window, which holds the latest
 * ones. Repair symbols are spread evenly between source symbols. Each has the next key, so that
 * those of one window differ.
 *
 * <p>For one thread at a time. The caller owns the engine, which must stay open until the sender is
 * closed. Source: RFC 8681, sections 3 and 6.1.
 */
public final class FecSender implements AutoCloseable {

  private final FecConfiguration configuration;
  private final FecSenderSettings settings;
  private final WindowCode code;
  private final WindowEncoder encoder;
  private final CodeRate rate;
  private final int symbolBytes;
  private final MemorySegment adui;
  private final MemorySegment sourcePacket;
  private final MemorySegment repairPacket;
  private int key;

  private FecSender(
      FecConfiguration configuration, FecSenderSettings settings, WindowEncoder encoder) {
    this.configuration = configuration;
    this.settings = settings;
    this.code = configuration.scheme().code(settings.densityThreshold());
    this.encoder = encoder;
    this.rate = new CodeRate(settings.codeRate());
    this.symbolBytes = configuration.information().symbolBytes();
    int largestAdu = largestAdu(configuration, settings);
    this.adui =
        MemorySegment.ofArray(new byte[Adui.symbols(largestAdu, symbolBytes) * symbolBytes]);
    this.sourcePacket = MemorySegment.ofArray(new byte[largestAdu + SourcePayloadId.BYTES]);
    this.repairPacket =
        MemorySegment.ofArray(
            new byte[RepairPayloadId.BYTES + settings.symbolsPerRepair() * symbolBytes]);
  }

  /** Opens a sender whose first source symbol has ESI 0, as RFC 8681 says of a session. */
  public static FecSender open(
      Engine engine, FecConfiguration configuration, FecSenderSettings settings) {
    return open(engine, configuration, settings, 0);
  }

  /**
   * Opens a sender that continues a session.
   *
   * @param engine computes the repair symbols
   * @param configuration what sender and receiver share
   * @param settings windows and rates
   * @param firstEsi the ESI of the next source symbol, 0 … 2<sup>32</sup> − 1
   * @throws IllegalArgumentException if the ESI is out of range, repair packets exceed 65535 bytes,
   *     or have more symbols than the code has keys
   */
  public static FecSender open(
      Engine engine, FecConfiguration configuration, FecSenderSettings settings, long firstEsi) {
    engine.requireOpen();
    Wire.requireIn("ESI", firstEsi, 0, Wire.MAX_ESI);
    int symbolBytes = configuration.information().symbolBytes();
    Wire.requireIn(
        "length of repair packets",
        RepairPayloadId.BYTES + (long) settings.symbolsPerRepair() * symbolBytes,
        0,
        Adui.MAX_ADU_BYTES);
    WindowCode code = configuration.scheme().code(settings.densityThreshold());
    if (settings.symbolsPerRepair() > code.keys()) {
      throw new IllegalArgumentException(
          "%d repair symbols in a packet, but the code has %d key"
              .formatted(settings.symbolsPerRepair(), code.keys()));
    }
    WindowShape shape = new WindowShape(symbolBytes, settings.encodingWindow(), SymbolFraming.NONE);
    return new FecSender(
        configuration, settings, WindowEncoder.open(engine, shape, code, firstEsi));
  }

  /** Returns the largest ADU whose symbols fit the encoding window. */
  private static int largestAdu(FecConfiguration configuration, FecSenderSettings settings) {
    long window = (long) settings.encodingWindow() * configuration.information().symbolBytes();
    return (int) Math.min(window - Adui.HEADER_BYTES, Adui.MAX_ADU_BYTES);
  }

  /**
   * Sends an ADU as a source packet, and the repair packets that are due.
   *
   * @param flow the flow of the ADU, one of the configuration
   * @param adu its bytes, at most those of {@link #largestAdu}
   * @param packets receives the packets
   * @throws IllegalArgumentException if the flow is unknown, or the ADU too large
   */
  public void send(int flow, MemorySegment adu, FecPacketSink packets) {
    if (!configuration.flows().contains(flow)) {
      throw new IllegalArgumentException(
          "flow " + flow + " is not one of " + configuration.flows());
    }
    int bytes = (int) Math.min(adu.byteSize(), Integer.MAX_VALUE);
    Wire.requireIn("length of an ADU", bytes, 0, largestAdu());
    MemorySegment packet = sourcePacket.asSlice(0, bytes + SourcePayloadId.BYTES);
    MemorySegment.copy(adu, 0, packet, 0, bytes);
    new SourcePayloadId(encoder.next() & Wire.MAX_ESI).writeTo(packet);
    int symbols = Adui.symbols(bytes, symbolBytes);
    Adui.write(flow, adu, adui.asSlice(0, (long) symbols * symbolBytes));
    packets.source(flow, packet);
    for (int i = 0; i < symbols; i++) {
      encoder.add(adui.asSlice((long) i * symbolBytes, symbolBytes));
      rate.addSource();
      while (rate.take(settings.symbolsPerRepair())) {
        repair(packets);
      }
    }
  }

  /**
   * Sends a repair packet beyond those of the code rate, for example at the end of a stream.
   *
   * @return false if the encoding window is empty, so that there is nothing to repair
   */
  public boolean repair(FecPacketSink packets) {
    if (encoder.first() == encoder.next()) {
      return false;
    }
    int count = (int) (encoder.next() - encoder.first());
    new RepairPayloadId(key, settings.densityThreshold(), count, encoder.first() & Wire.MAX_ESI)
        .writeTo(repairPacket);
    for (int i = 0; i < settings.symbolsPerRepair(); i++) {
      encoder.repair(
          key, repairPacket.asSlice(RepairPayloadId.BYTES + (long) i * symbolBytes, symbolBytes));
      key = (key + 1) % code.keys();
    }
    packets.repair(repairPacket);
    return true;
  }

  /**
   * Removes ADUs from the encoding window that have reached the end of their validity (RFC 8681,
   * section 3.3).
   *
   * @param symbols how many of the latest source symbols stay, ≥ 0
   */
  public void keep(int symbols) {
    Wire.requireIn("number of source symbols", symbols, 0, Integer.MAX_VALUE);
    encoder.acknowledge(Math.max(encoder.first(), encoder.next() - symbols));
  }

  /** Returns the bytes of the largest ADU: its symbols fit the encoding window. */
  public int largestAdu() {
    return (int) sourcePacket.byteSize() - SourcePayloadId.BYTES;
  }

  /** Returns the ESI of the next source symbol, 0 … 2<sup>32</sup> − 1. */
  public long nextEsi() {
    return encoder.next() & Wire.MAX_ESI;
  }

  /** Releases memory of the engine. */
  @Override
  public void close() {
    encoder.close();
  }
}
