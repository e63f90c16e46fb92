package io.fieldstone.bench.net;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream of the QUIC connections that Fieldstone uses.
 *
 * @param control {@code BBR} or {@code CUBIC}
 */
record QuicStream(String control) implements FilePeer {

  private static final int PORT = 4433;

  @Override
  public String name() {
    return "QUIC stream, " + control;
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
                control));
    Output.await(server, "ready");
    Output.drain(server);
    job.serverStarted(job.senders().getFirst(), server);
    job.begin();
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
                  control)));
    }
    Transfer all = Transfer.NOTHING_YET;
    for (Process client : clients) {
      all = all.and(Output.result(Output.await(client, "result ")));
    }
    return all;
  }
}
