package io.fieldstone.bench.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code fieldstone serve} and {@code fieldstone fetch}: each receiver draws from all senders.
 *
 * @param cubic whether the rate is that of CUBIC
 */
record Fieldstone(boolean cubic) implements FilePeer {

  static final int PORT = 4433;

  @Override
  public String name() {
    return cubic ? "Fieldstone, --cc cubic" : "Fieldstone";
  }

  @Override
  public Transfer transfer(Hosts hosts, Job job) throws IOException {
    List<String> servers = new ArrayList<>();
    for (int sender : job.senders()) {
      Process server =
          startServer(hosts, sender, job.work(), cubic, List.of(job.file(), job.warmUp()));
      job.serverStarted(sender, server);
      servers.add(hosts.address(sender) + ":" + (PORT + sender));
    }
    job.begin();
    List<Process> clients = new ArrayList<>();
    for (int receiver : job.receivers()) {
      Path state = Files.createDirectory(job.work().resolve("client" + receiver));
      List<String> command =
          Tools.java(
              FieldstoneFile.class,
              "fetch",
              job.warmUp().getFileName().toString(),
              job.file().getFileName().toString(),
              state.resolve("output").toString(),
              state.toString(),
              Boolean.toString(cubic),
              Double.toString(job.limitSeconds()));
      command.addAll(servers);
      clients.add(hosts.start(receiver, command));
    }
    Transfer all = Transfer.NOTHING_YET;
    for (Process client : clients) {
      all = all.and(Output.result(Output.await(client, "result ")));
    }
    return all;
  }

  /** Starts a server of some files at port {@link #PORT} plus the number of the host. */
  static Process startServer(Hosts hosts, int host, Path work, boolean cubic, List<Path> files)
      throws IOException {
    Path state = Files.createDirectory(work.resolve("server" + host));
    List<String> command =
        Tools.java(
            FieldstoneFile.class,
            "serve",
            Integer.toString(PORT + host), // all hosts may be one
            state.toString(),
            Boolean.toString(cubic));
    files.forEach(file -> command.add(file.toString()));
    Process server = hosts.start(host, command);
    Output.await(server, "ready");
    Output.drain(server);
    return server;
  }
}
