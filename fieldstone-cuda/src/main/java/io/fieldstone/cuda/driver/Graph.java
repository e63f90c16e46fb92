package io.fieldstone.cuda.driver;

/**
 * Work captured once by {@link Stream#capture}, to be launched any number of times as one. It keeps
 * the arguments and addresses that were captured. Any thread may use it.
 */
public final class Graph extends Resource {

  private final long executable;

  Graph(Context context, long executable) {
    super(context);
    this.executable = executable;
  }

  /**
   * Puts the work into a stream.
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
