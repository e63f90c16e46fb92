package io.fieldstone.net.carrier;

/**
 * Reports that the heap is exhausted where a loop or a thread continues after an error. The
 * application decides how to react: it sets the handler of uncaught exceptions.
 */
public final class HeapExhaustion {

  private HeapExhaustion() {}

  /**
   * Calls the handler of uncaught exceptions of this thread, or of all threads, if the heap is
   * exhausted. Does nothing for other errors, among them those of memory outside the heap and of
   * too many threads: they end with the connection that caused them.
   */
  public static void report(Throwable error) {
    if (!isHeap(error)) {
      return;
    }
    Thread thread = Thread.currentThread();
    Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
    if (handler instanceof ThreadGroup) {
      handler = Thread.getDefaultUncaughtExceptionHandler();
    }
    if (handler != null) {
      handler.uncaughtException(thread, error);
    }
  }

  /** Returns true for an error of the JVM that says that there is no more heap. */
  public static boolean isHeap(Throwable error) {
    String message = error.getMessage();
    return error.getClass() == OutOfMemoryError.class
        && message != null
        && (message.startsWith("Java heap space")
            || message.startsWith("GC overhead limit exceeded")
            || message.startsWith("Metaspace"));
  }
}
