package io.fieldstone.rlnc.fecframe;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.util.Map;

/**
 * The attribute {@code fec-source-flow} of SDP: a flow of source packets.
 *
 * <p>Immutable and thread-safe. Source: RFC 6364, section 4.4.
 *
 * @param id the identifier of the flow, 0 … 2<sup>32</sup> − 1; RFC 8681 has flows up to 255
 * @param tagBytes the bytes of the Explicit Source FEC Payload ID; 0 if packets have none
 */
public record SourceFlow(long id, int tagBytes) {

  static final String PREFIX = "a=fec-source-flow:";

  private static final String ID = "id";
  private static final String TAG_LENGTH = "tag-len";

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public SourceFlow {
    Wire.requireIn("identifier of a source flow", id, 0, Wire.MAX_ESI);
    Wire.requireIn("tag-len", tagBytes, 0, Integer.MAX_VALUE);
  }

  /**
   * Reads a line of SDP.
   *
   * @param line {@code a=fec-source-flow: id=0; tag-len=4}, with or without the end of the line
   * @throws MalformedDataException if the line is another attribute, or not as RFC 6364 says
   */
  public static SourceFlow parse(String line) throws MalformedDataException {
    Map<String, String> parameters = SdpText.parameters(line, PREFIX);
    int tagBytes =
        parameters.containsKey(TAG_LENGTH)
            ? (int) SdpText.number(parameters, TAG_LENGTH, 1, Integer.MAX_VALUE)
            : 0;
    return new SourceFlow(SdpText.number(parameters, ID, 0, Wire.MAX_ESI), tagBytes);
  }

  /** Returns the line of SDP, without its end. */
  public String line() {
    String tag = tagBytes == 0 ? "" : "; " + TAG_LENGTH + "=" + tagBytes;
    return PREFIX + " " + ID + "=" + id + tag;
  }
}
