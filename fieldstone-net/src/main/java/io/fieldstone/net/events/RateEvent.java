package io.fieldstone.net.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The rate of a sender after reports of its receiver. */
@Name("fieldstone.Rate")
@Label("Rate")
@Description("The rate of a sender after reports of its receiver")
@Category({"Fieldstone", "Network"})
@StackTrace(false)
final class RateEvent extends Event {

  @Label("Peer")
  String peer = "";

  @Label("Rate")
  @Description("The rate per second from now on")
  @DataAmount
  long bytesPerSecond;

  @Label("Loss")
  @Description("The share of packets lost since the last event of this peer")
  @Percentage
  double loss;

  @Label("Round Trip")
  @Description("The shortest since the last event of this peer; 0 if unknown")
  @Timespan(Timespan.NANOSECONDS)
  long rtt;

  private RateEvent() {}

  /**
   * Records a rate.
   *
   * @param passed the packets sent since the last record, as far as their fate is known
   * @param arrived those of them that arrived
   */
  static void record(String peer, double bytesPerSecond, long passed, long arrived, long rttNanos) {
    RateEvent event = new RateEvent();
    if (event.shouldCommit()) {
      event.peer = peer;
      event.bytesPerSecond = Math.round(bytesPerSecond);
      event.loss = passed <= 0 ? 0 : Math.max(0, 1 - (double) arrived / passed);
      event.rtt = rttNanos;
      event.commit();
    }
  }
}
