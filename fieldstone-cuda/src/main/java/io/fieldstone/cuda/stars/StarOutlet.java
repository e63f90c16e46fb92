package io.fieldstone.cuda.stars;

import io.fieldstone.engine.stars.StarBatch;
import io.fieldstone.engine.stars.StarSink;

/**
 * A sink within a call to the GPU. What it throws ends the call and passes everything between,
 * which might take it for a failure of the GPU.
 *
 * @param <X> what the sink throws
 */
final class StarOutlet<X extends Exception> {

  private final StarSink<X> sink;

  StarOutlet(StarSink<X> sink) {
    this.sink = sink;
  }

  /** That the sink has thrown something. */
  static final class SinkFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Throwable thrown;

    private SinkFailure(Throwable thrown) {
      super(thrown);
      this.thrown = thrown;
    }
  }

  /**
   * Hands a batch out.
   *
   * @throws SinkFailure whatever the sink throws
   */
  void accept(StarBatch batch) {
    try {
      sink.accept(batch);
    } catch (Exception | Error e) {
      throw new SinkFailure(e);
    }
  }

  /**
   * Runs what hands batches out.
   *
   * @throws X what the sink has thrown
   */
  void run(Runnable search) throws X {
    try {
      search.run();
    } catch (SinkFailure failure) {
      throw unwrapped(failure.thrown);
    }
  }

  /** An unchecked exception or an error is thrown from here, unwrapped. */
  @SuppressWarnings("unchecked") // a sink's checked exceptions are X
  private X unwrapped(Throwable cause) {
    return switch (cause) {
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      default -> (X) cause;
    };
  }
}
