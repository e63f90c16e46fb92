package io.fieldstone.net.carrier.quic;

import io.fieldstone.net.carrier.Cancellable;
import io.fieldstone.net.carrier.HeapExhaustion;
import io.fieldstone.net.carrier.Loop;
import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A loop of Netty. */
record QuicLoop(EventLoop events) implements Loop {
  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    try {
      var scheduled =
          events.schedule(() -> run(task), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
      return () -> scheduled.cancel(false);
    } catch (RejectedExecutionException _) {
      return () -> {};
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (OutOfMemoryError e) {
      HeapExhaustion.report(e);
      throw e;
    }
  }
}
