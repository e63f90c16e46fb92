package io.fieldstone.cuda.stars;

import io.fieldstone.engine.stars.StarBatch;
import io.fieldstone.engine.stars.StarSink;

/**
 * Passes batches to a sink during a call to the GPU. An exception of the sink ends the call, and is
 * wrapped meanwhile so that it is not taken for a failure of the GPU.
 *
 * @param <X> checked exception of the sink
 */
public final class StarOutlet<X extends Exception> {

  private final StarSink<X> sink;

  /** Creates an outlet for a call. */
  public StarOutlet(StarSink<X> sink) {
    this.sink = sink;
  }

  /** Wraps an exception of the sink. */
  public static final class SinkFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Throwable thrown;

    private SinkFailure(Throwable thrown) {
      super(thrown);
      this.thrown = thrown;
    }
  }

  /**
   * Passes a batch to the sink.
   *
   * @throws SinkFailure if the sink throws an exception
   */
  public void accept(StarBatch batch) {
    try {
      sink.accept(batch);
    } catch (Exception | Error e) {
      throw new SinkFailure(e);
    }
  }

  /**
   * Runs a search that passes batches to this outlet.
   *
   * @throws X if the sink has thrown it
   */
  public void run(Runnable search) throws X {
    try {
      search.run();
    } catch (SinkFailure failure) {
      throw unwrapped(failure.thrown);
    }
  }

  /** Returns the checked exception of the sink; throws unchecked ones and errors. */
  @SuppressWarnings("unchecked") // a sink's checked exceptions are X
  private X unwrapped(Throwable cause) {
    return switch (cause) {
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      default -> (X) cause;
    };
  }
}
