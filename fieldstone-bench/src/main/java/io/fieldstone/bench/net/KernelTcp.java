package io.fieldstone.bench.net;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One TCP connection of the kernel for each receiver.
 *
 * @param congestionControl as the kernel names it
 */
record KernelTcp(String congestionControl) implements FilePeer {

  static final int PORT = 5000;

  @Override
  public String name() {
    return "TCP " + congestionControl.toUpperCase(Locale.ROOT) + ", kernel";
  }

  @Override
  public Transfer transfer(VirtualNetwork network, Job job) throws IOException {
    startServer(network, job);
    List<Process> clients = new ArrayList<>();
    for (int end : job.receivers()) {
      clients.add(startClient(network, end, job.host(), PORT, job));
    }
    Transfer all = new Transfer(Long.MAX_VALUE, 0);
    for (Process client : clients) {
      all = all.and(Output.result(Output.await(client, "result ")));
    }
    return all;
  }

  /** Starts a server of the file at the first sender. */
  static void startServer(VirtualNetwork network, Job job) throws IOException {
    Process server =
        network.start(
            job.senders().getFirst(),
            Tools.java(TcpFile.class, "serve", Integer.toString(PORT), job.file().toString()));
    Output.await(server, "ready");
  }

  /** Starts a client that prints its result. */
  static Process startClient(VirtualNetwork network, int end, String host, int port, Job job)
      throws IOException {
    return network.start(
        end,
        Tools.java(
            TcpFile.class,
            "fetch",
            host,
            Integer.toString(port),
            Double.toString(job.limitSeconds())));
  }
}
