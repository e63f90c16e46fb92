package io.fieldstone.bench.net;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * TCP through a tunnel of kcptun: ARQ over UDP with Reed-Solomon parity, and windows that its user
 * sets.
 *
 * @param parity parity packets for each 10 packets; 0 turns the code off
 */
record Kcptun(int parity) implements FilePeer {

  private static final int UDP_PORT = 4000;
  private static final int TUNNEL_PORT = 6000;

  @Override
  public String name() {
    return parity == 0 ? "kcptun, no parity" : "kcptun, 10 + " + parity;
  }

  @Override
  public List<String> commands() {
    return List.of("kcptun-server", "kcptun-client");
  }

  @Override
  public Transfer transfer(Hosts hosts, Job job) throws IOException, InterruptedException {
    int receiver = job.receivers().getFirst();
    KernelTcp.startServer(hosts, job);
    Process server =
        hosts.start(
            job.senders().getFirst(),
            command("kcptun-server", "-t", "127.0.0.1:" + KernelTcp.PORT, "-l", ":" + UDP_PORT));
    Output.await(server, "20"); // a log line begins with its date
    Process client =
        hosts.start(
            receiver,
            command(
                "kcptun-client",
                "-r",
                hosts.address(job.senders().getFirst()) + ":" + UDP_PORT,
                "-l",
                ":" + TUNNEL_PORT));
    Output.await(client, "20");
    TimeUnit.MILLISECONDS.sleep(500); // both print before they listen
    Output.drain(server);
    Output.drain(client);
    return Output.results(
        List.of(KernelTcp.startClient(hosts, receiver, "127.0.0.1", TUNNEL_PORT, job)));
  }

  private List<String> command(String... start) {
    List<String> command = new ArrayList<>(List.of(start));
    command.addAll(
        List.of(
            "--nocomp",
            "--datashard",
            parity == 0 ? "0" : "10",
            "--parityshard",
            Integer.toString(parity)));
    return command;
  }
}
