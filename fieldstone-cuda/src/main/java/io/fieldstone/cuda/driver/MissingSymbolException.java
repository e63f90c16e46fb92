package io.fieldstone.cuda.driver;

/** Thrown if {@code libcuda.so.1} lacks a function of the driver API. */
final class MissingSymbolException extends Exception {
  private static final long serialVersionUID = 1L;

  MissingSymbolException(String symbol) {
    super(symbol);
  }
}
