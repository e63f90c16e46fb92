/**
 * The kernels of {@code fieldstone-native}, for adapters: {@code NativeLibrary} loads them. They
 * are optional; without them, the kernels in Java run.
 */
@NullMarked
package io.fieldstone.natives;

import org.jspecify.annotations.NullMarked;
