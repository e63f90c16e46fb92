/** The driver's objects, on a driver in pure Java and, where there is one, on NVIDIA's. */
package io.fieldstone.cuda.driver;
