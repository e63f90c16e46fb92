package io.fieldstone.bench.net;

import io.fieldstone.bench.net.hosts.Hosts;
import java.io.IOException;
import java.nio.file.Path;

/** A way on which TCP connections of a client's host reach a port of a server's host. */
interface TcpPath extends Peer {

  /** The host of the server, and that of its clients. */
  int SERVER = 0;

  int CLIENT = 1;

  /**
   * Starts the programs of the way.
   *
   * @param work an empty folder for their files
   * @param port of the server, which listens at all addresses of its host
   * @return where clients connect
   * @throws IOException if a program fails
   */
  Entry open(Hosts hosts, Path work, int port) throws IOException, InterruptedException;

  /** The address and the port at the client's host that stand for those of the server. */
  record Entry(String host, int port) {}
}
