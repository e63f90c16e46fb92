package io.fieldstone.bench.net;

import io.fieldstone.bench.net.hosts.Hosts;
import io.fieldstone.bench.net.hosts.RouterEnd;
import io.fieldstone.bench.net.hosts.Tools;
import io.fieldstone.cli.Main;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code fieldstone tunnel} between two TUN devices. */
record FieldstoneTunnel() implements TcpPath {

  private static final int UDP_PORT = 4433;

  /** The address of the server inside; those outside are of {@link RouterEnd#NETWORK}. */
  private static final String INSIDE = "10.8.0.1";

  private static final String INSIDE_NETWORK = "10.8.0.0/24";

  @Override
  public String name() {
    return "fieldstone tunnel";
  }

  @Override
  public Entry open(Hosts hosts, Path work, int port) throws IOException {
    start(
        hosts, SERVER, work, "server", INSIDE, "--listen", hosts.address(SERVER) + ":" + UDP_PORT);
    start(
        hosts,
        CLIENT,
        work,
        "client",
        "10.8.0.2",
        "--from",
        hosts.address(SERVER) + ":" + UDP_PORT);
    // The data leave the server with the congestion control of the other paths.
    Process route =
        hosts.start(
            SERVER,
            List.of(
                "sh",
                "-c",
                "ip route replace %s dev fst0 src %s congctl cubic && echo ready"
                    .formatted(INSIDE_NETWORK, INSIDE)));
    Output.await(route, "ready");
    return new Entry(INSIDE, port);
  }

  private static void start(
      Hosts hosts, int host, Path work, String role, String address, String... more)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("tunnel", role, "--tun", "fst0", "--address", address + "/24"));
    arguments.addAll(List.of("--state", work.resolve(role).toString()));
    arguments.addAll(List.of(more));
    Process end = hosts.start(host, Tools.java(Main.class, arguments.toArray(String[]::new)));
    Output.await(end, "tunnel ");
    Output.drain(end);
  }
}
