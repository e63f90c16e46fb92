package io.fieldstone.net.fecframe;

import io.fieldstone.rlnc.fecframe.FecConfiguration;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * The addresses of the flows of a FECFRAME session: a flow is known by the address that its packets
 * go to. All addresses differ.
 *
 * <p>Immutable and thread-safe.
 *
 * @param sources the address of each source flow
 * @param repair the address of the repair flow
 */
public record FecframeAddresses(Map<Integer, InetSocketAddress> sources, InetSocketAddress repair) {

  /** Copies the map. */
  public FecframeAddresses {
    sources = Map.copyOf(sources);
  }

  /**
   * Returns the address of a source flow.
   *
   * @throws IllegalArgumentException if the flow has none
   */
  public InetSocketAddress source(int flow) {
    InetSocketAddress address = sources.get(flow);
    if (address == null) {
      throw new IllegalArgumentException("flow " + flow + " has no address");
    }
    return address;
  }

  void requireFlows(FecConfiguration configuration) {
    configuration.flows().forEach(this::source);
  }
}
