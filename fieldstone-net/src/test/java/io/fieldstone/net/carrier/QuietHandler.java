package io.fieldstone.net.carrier;

import java.lang.foreign.MemorySegment;

/** Does nothing: a peer of a test overrides the events that it needs. */
public abstract class QuietHandler implements ConnectionHandler {

  @Override
  public void opened(Connection connection) {}

  @Override
  public void datagram(MemorySegment bytes) {}

  @Override
  public void control(MemorySegment message) {}

  @Override
  public void writable() {}

  @Override
  public void closed(CloseReason reason) {}
}
