/** Files over networks that lose packets: servers, relays and fetches. */
module io.fieldstone.net {
  requires transitive io.fieldstone.coding;
  requires io.fieldstone.web;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.classes.quic;
  requires io.netty.codec.http3;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires io.netty.transport.unix.common;
  requires jdk.jfr;
  requires jdk.net;
  requires static org.jspecify;

  exports io.fieldstone.net.carrier;
  exports io.fieldstone.net.carrier.quic;
  exports io.fieldstone.net.dashboard;
  exports io.fieldstone.net.endpoint;
  exports io.fieldstone.net.fetch;
  exports io.fieldstone.net.relay;
  exports io.fieldstone.net.server;
  exports io.fieldstone.net.trust;
}
