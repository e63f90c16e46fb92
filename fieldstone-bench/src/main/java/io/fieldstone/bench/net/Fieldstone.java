package io.fieldstone.bench.net;

import io.fieldstone.bench.net.hosts.Hosts;
import io.fieldstone.bench.net.hosts.Tools;
import io.fieldstone.net.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code fieldstone serve} and {@code fieldstone fetch}: each receiver draws from all senders.
 *
 * @param cubic whether the rate is that of CUBIC
 * @param packetBytes the UDP payload of packets with a block
 */
record Fieldstone(boolean cubic, int packetBytes) implements FilePeer {

  static final int PORT = 4433;

  /** The UDP payload with a block of the default size. */
  private static final int USUAL_PACKET_BYTES =
      ServerSettings.DEFAULT_SHAPE.blockSize() + FieldstoneFile.HEADER_BYTES;

  Fieldstone(boolean cubic) {
    this(cubic, USUAL_PACKET_BYTES);
  }

  @Override
  public String name() {
    String size = packetBytes == USUAL_PACKET_BYTES ? "" : ", " + packetBytes + " bytes";
    return "Fieldstone" + (cubic ? ", --cc cubic" : "") + size;
  }

  @Override
  public Transfer transfer(Hosts hosts, Job job) throws IOException {
    List<Process> servers = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    for (int sender : job.senders()) {
      Process server = startServer(hosts, sender, job.work(), List.of(job.file(), job.warmUp()));
      job.serverStarted(sender, server);
      servers.add(server);
      addresses.add(hosts.address(sender) + ":" + (PORT + sender));
    }
    return fetch(hosts, job, servers, addresses);
  }

  /**
   * Fetches the file to all receivers.
   *
   * @param servers all servers and relays
   * @param addresses of those from which the receivers fetch
   */
  private Transfer fetch(Hosts hosts, Job job, List<Process> servers, List<String> addresses)
      throws IOException {
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
      command.addAll(addresses);
      clients.add(hosts.start(receiver, command));
    }
    return Output.transfer(servers, clients, job);
  }

  /**
   * Starts a server of some files at port {@link #PORT} plus the number of the host, and waits
   * until it is ready.
   */
  Process startServer(Hosts hosts, int host, Path work, List<Path> files) throws IOException {
    Path state = Files.createDirectory(work.resolve("server" + host));
    List<String> command =
        Tools.java(
            FieldstoneFile.class,
            "serve",
            Integer.toString(PORT + host), // all hosts may be one
            state.toString(),
            Boolean.toString(cubic),
            Integer.toString(packetBytes));
    files.forEach(file -> command.add(file.toString()));
    return ready(hosts.start(host, command));
  }

  private static Process ready(Process peer) throws IOException {
    Output.await(peer, "ready");
    return peer;
  }

  /**
   * {@code fieldstone serve}, {@code fieldstone relay} and {@code fieldstone fetch} in a chain: the
   * first sender has the file, and each other one relays what the one before it sends.
   *
   * @param isImmediate whether relays recode before they have a whole generation
   */
  record Chain(boolean isImmediate) implements FilePeer {
    @Override
    public String name() {
      return "Fieldstone, relay" + (isImmediate ? " --immediate" : "");
    }

    @Override
    public Transfer transfer(Hosts hosts, Job job) throws IOException {
      Fieldstone usual = new Fieldstone(false);
      int origin = job.senders().getFirst();
      Process server =
          usual.startServer(hosts, origin, job.work(), List.of(job.file(), job.warmUp()));
      job.serverStarted(origin, server);
      List<Process> servers = new ArrayList<>(List.of(server));
      String from = hosts.address(origin) + ":" + (PORT + origin);
      for (int relay : job.senders().subList(1, job.senders().size())) {
        Process started =
            ready(
                hosts.start(
                    relay,
                    Tools.java(
                        FieldstoneFile.class,
                        "relay",
                        Integer.toString(PORT + relay),
                        job.work().resolve("relay" + relay).toString(),
                        Boolean.toString(isImmediate),
                        from)));
        job.serverStarted(relay, started);
        servers.add(started);
        from = hosts.address(relay) + ":" + (PORT + relay);
      }
      return usual.fetch(hosts, job, servers, List.of(from));
    }
  }
}
