package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The FEC Framework Configuration Information, which sender and receiver share: the FEC scheme, its
 * parameters, and the source flows that are protected together.
 *
 * {@snippet :
 * FecConfiguration configuration = FecConfiguration.of(FecScheme.GF256, 1316);
 * configuration.repairFlow().line(); // a=fec-repair-flow: encoding-id=10; fssi=E:1319,WSR:191
 * FecConfiguration received = FecConfiguration.parseSdp(description);
 * }
 *
 * <p>Immutable and thread-safe. Source: RFC 8681, sections 4.1.1 and 5.1.1; RFC 6364.
 *
 * @param scheme the FEC scheme
 * @param information the symbol size and the window size ratio
 * @param flows the identifiers of the source flows, 0 … 255, each once
 */
public record FecConfiguration(
    FecScheme scheme, SchemeInformation information, List<Integer> flows) {

  private static final String GROUP_PREFIX = "a=group:FEC-FR ";

  /**
   * Copies the list of flows.
   *
   * @throws IllegalArgumentException if there is no flow, or one is out of range or repeated
   */
  public FecConfiguration {
    flows = List.copyOf(flows);
    if (flows.isEmpty()) {
      throw new IllegalArgumentException("no source flow");
    }
    for (int flow : flows) {
      Wire.requireIn("flow", flow, 0, Adui.MAX_FLOW);
    }
    if (new HashSet<>(flows).size() < flows.size()) {
      throw new IllegalArgumentException("a flow is repeated in " + flows);
    }
  }

  /**
   * Returns the configuration of one flow, number 0, in which each ADU is one symbol.
   *
   * @param scheme the FEC scheme
   * @param largestAdu the bytes of the largest ADU, 1 … 65532
   * @throws IllegalArgumentException if the size is out of range
   */
  public static FecConfiguration of(FecScheme scheme, int largestAdu) {
    int room = SchemeInformation.MAX_SYMBOL_BYTES - Adui.HEADER_BYTES;
    Wire.requireIn("length of an ADU", largestAdu, 1, room);
    return new FecConfiguration(
        scheme,
        new SchemeInformation(
            largestAdu + Adui.HEADER_BYTES, SchemeInformation.DEFAULT_WINDOW_SIZE_RATIO),
        List.of(0));
  }

  /**
   * Reads the lines of a session description that RFC 6364 defines; others are ignored. Of several
   * repair flows with a scheme of RFC 8681, the one of the lowest preference level counts.
   *
   * @param description lines that end with LF or CR LF
   * @throws MalformedDataException if a line is not as RFC 6364 says, no repair flow has a scheme
   *     of RFC 8681, there is no source flow, one has another tag length than 4 or a number above
   *     255, or there are several groups of flows
   */
  public static FecConfiguration parseSdp(String description) throws MalformedDataException {
    List<Integer> flows = new ArrayList<>();
    Optional<RepairFlow> repair = Optional.empty();
    int groups = 0;
    for (String line : description.lines().toList()) {
      if (line.startsWith(GROUP_PREFIX) && ++groups > 1) {
        throw new MalformedDataException(0, "a second group of flows");
      } else if (line.startsWith(SourceFlow.PREFIX)) {
        flows.add(flow(SourceFlow.parse(line), flows));
      } else if (line.startsWith(RepairFlow.PREFIX)) {
        repair = preferred(repair, RepairFlow.parse(line));
      }
    }
    if (flows.isEmpty()) {
      throw new MalformedDataException(0, "no line " + SourceFlow.PREFIX);
    }
    if (repair.isEmpty()) {
      throw new MalformedDataException(0, "no repair flow with encoding-id 9 or 10");
    }
    return new FecConfiguration(
        FecScheme.ofEncodingId(repair.get().encodingId()).orElseThrow(),
        SchemeInformation.parse(repair.get().information()),
        flows);
  }

  private static int flow(SourceFlow flow, List<Integer> others) throws MalformedDataException {
    if (flow.tagBytes() != SourcePayloadId.BYTES) {
      throw new MalformedDataException(
          0, "tag-len %d, not %d".formatted(flow.tagBytes(), SourcePayloadId.BYTES));
    }
    if (flow.id() > Adui.MAX_FLOW) {
      throw new MalformedDataException(
          0, "source flow %d is not in 0…%d".formatted(flow.id(), Adui.MAX_FLOW));
    }
    int id = (int) flow.id();
    if (others.contains(id)) {
      throw new MalformedDataException(0, "a second source flow " + id);
    }
    return id;
  }

  private static Optional<RepairFlow> preferred(Optional<RepairFlow> best, RepairFlow flow) {
    boolean known = FecScheme.ofEncodingId(flow.encodingId()).isPresent();
    return known && (best.isEmpty() || level(flow) < level(best.get())) ? Optional.of(flow) : best;
  }

  private static int level(RepairFlow flow) {
    return flow.preferenceLevel().orElse(Integer.MAX_VALUE);
  }

  /** Returns the attribute of each source flow. */
  public List<SourceFlow> sourceFlows() {
    return flows.stream().map(flow -> new SourceFlow(flow, SourcePayloadId.BYTES)).toList();
  }

  /** Returns the attribute of the repair flow. */
  public RepairFlow repairFlow() {
    return new RepairFlow(scheme.encodingId(), OptionalInt.empty(), "", information.text());
  }
}
