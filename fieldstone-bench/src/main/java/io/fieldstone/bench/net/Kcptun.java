package io.fieldstone.bench.net;

import io.fieldstone.bench.net.hosts.Hosts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * TCP through a tunnel of kcptun: ARQ over UDP with Reed-Solomon parity, and windows that its user
 * sets.
 *
 * @param parity parity packets for each 10 packets; 0 turns the code off
 * @param window packets on the way in each direction; 0 for its defaults
 */
record Kcptun(int parity, int window) implements FilePeer, TcpPath {

  private static final int UDP_PORT = 4000;
  private static final int TUNNEL_PORT = 6000;

  Kcptun(int parity) {
    this(parity, 0);
  }

  @Override
  public String name() {
    String code = parity == 0 ? "kcptun, no parity" : "kcptun, 10 + " + parity;
    return window == 0 ? code : code + ", windows of " + window;
  }

  @Override
  public List<String> commands() {
    return List.of("kcptun-server", "kcptun-client");
  }

  @Override
  public Transfer transfer(Hosts hosts, Job job) throws IOException, InterruptedException {
    int receiver = job.receivers().getFirst();
    KernelTcp.startServer(hosts, job);
    open(hosts, job.senders().getFirst(), receiver, KernelTcp.PORT);
    return Output.results(
        List.of(KernelTcp.startClient(hosts, receiver, "127.0.0.1", TUNNEL_PORT, job)));
  }

  @Override
  public Entry open(Hosts hosts, Path work, int port) throws IOException, InterruptedException {
    open(hosts, SERVER, CLIENT, port);
    return new Entry("127.0.0.1", TUNNEL_PORT);
  }

  private void open(Hosts hosts, int sender, int receiver, int port)
      throws IOException, InterruptedException {
    Process server =
        hosts.start(
            sender, command("kcptun-server", "-t", "127.0.0.1:" + port, "-l", ":" + UDP_PORT));
    Output.await(server, "20"); // a log line begins with its date
    Process client =
        hosts.start(
            receiver,
            command(
                "kcptun-client",
                "-r",
                hosts.address(sender) + ":" + UDP_PORT,
                "-l",
                ":" + TUNNEL_PORT));
    Output.await(client, "20");
    TimeUnit.MILLISECONDS.sleep(500); // both print before they listen
    Output.drain(server);
    Output.drain(client);
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
    if (window > 0) {
      String packets = Integer.toString(window);
      command.addAll(List.of("--sndwnd", packets, "--rcvwnd", packets));
    }
    return command;
  }
}
