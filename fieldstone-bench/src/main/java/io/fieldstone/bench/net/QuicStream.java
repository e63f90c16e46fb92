package io.fieldstone.bench.net;

import io.fieldstone.bench.net.hosts.Hosts;
import io.fieldstone.bench.net.hosts.Tools;
import io.fieldstone.net.carrier.quic.QuicOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream of the QUIC connections that Fieldstone uses.
 *
 * @param control {@code BBR} or {@code CUBIC}
 * @param packetBytes the maximum UDP payload
 */
record QuicStream(String control, int packetBytes) implements FilePeer {

  private static final int PORT = 4433;

  /** A stream whose packets fit those of Ethernet. */
  QuicStream(String control) {
    this(control, QuicOptions.DEFAULT.maxUdpBytes());
  }

  @Override
  public String name() {
    String size =
        packetBytes == QuicOptions.DEFAULT.maxUdpBytes() ? "" : ", " + packetBytes + " bytes";
    return "QUIC stream, " + control + size;
  }

  @Override
  public Transfer transfer(Hosts hosts, Job job) throws IOException {
    Process server =
        hosts.start(
            job.senders().getFirst(),
            Tools.java(
                QuicStreamFile.class,
                "serve",
                Integer.toString(PORT),
                job.file().toString(),
                control,
                Integer.toString(packetBytes)));
    Output.await(server, "ready");
    job.serverStarted(job.senders().getFirst(), server);
    List<Process> clients = new ArrayList<>();
    for (int receiver : job.receivers()) {
      clients.add(
          hosts.start(
              receiver,
              Tools.java(
                  QuicStreamFile.class,
                  "fetch",
                  hosts.address(job.senders().getFirst()),
                  Integer.toString(PORT),
                  Double.toString(job.limitSeconds()),
                  control,
                  Integer.toString(packetBytes))));
    }
    return Output.transfer(List.of(server), clients, job);
  }
}
