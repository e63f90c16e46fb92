/** Tests the driver's objects on a driver in pure Java and on NVIDIA's driver, if present. */
package io.fieldstone.cuda.driver;
