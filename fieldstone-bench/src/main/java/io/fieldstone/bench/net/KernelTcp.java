package io.fieldstone.bench.net;

import io.fieldstone.bench.net.hosts.Hosts;
import io.fieldstone.bench.net.hosts.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One TCP connection of the kernel for each receiver.
 *
 * @param congestionControl as the kernel names it
 */
record KernelTcp(String congestionControl) implements FilePeer, TcpPath {

  static final int PORT = 5000;

  @Override
  public String name() {
    return "TCP " + congestionControl.toUpperCase(Locale.ROOT) + ", kernel";
  }

  @Override
  public Transfer transfer(Hosts hosts, Job job) throws IOException {
    job.serverStarted(job.senders().getFirst(), startServer(hosts, job));
    job.begin();
    List<Process> clients = new ArrayList<>();
    for (int end : job.receivers()) {
      clients.add(startClient(hosts, end, hosts.address(job.senders().getFirst()), PORT, job));
    }
    return Output.results(clients);
  }

  @Override
  public Entry open(Hosts hosts, Path work, int port) {
    return new Entry(hosts.address(SERVER), port);
  }

  /** Starts a server of the file at the first sender. */
  static Process startServer(Hosts hosts, Job job) throws IOException {
    Process server =
        hosts.start(
            job.senders().getFirst(),
            Tools.java(TcpFile.class, "serve", Integer.toString(PORT), job.file().toString()));
    Output.await(server, "ready");
    return server;
  }

  /** Starts a client that prints its result. */
  static Process startClient(Hosts hosts, int end, String host, int port, Job job)
      throws IOException {
    return hosts.start(
        end,
        Tools.java(
            TcpFile.class,
            "fetch",
            host,
            Integer.toString(port),
            Double.toString(job.limitSeconds())));
  }
}
