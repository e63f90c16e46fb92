/** Kernels in C, which the engine {@code cpu} finds as resources. */
module io.fieldstone.kernels {}
