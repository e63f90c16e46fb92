package io.fieldstone.cuda.driver;

/**
 * Work captured by {@link Stream#capture}, to be launched any number of times. It keeps the
 * arguments and addresses of the capture. Thread-safe.
 */
public final class Graph extends Resource {

  private final long executable;

  Graph(Context context, long executable) {
    super(context);
    this.executable = executable;
  }

  /**
   * Enqueues the work in a stream.
   *
   * @throws CudaException if the driver reports an error
   */
  public void launch(Stream stream) {
    enter().graphLaunch(executable, stream.handle());
  }

  @Override
  void free(DriverCalls calls) {
    calls.graphExecDestroy(executable);
  }
}
