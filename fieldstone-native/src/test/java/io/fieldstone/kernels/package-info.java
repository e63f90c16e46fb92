/** Builds the shared objects, and checks that those in the resources are of the sources. */
package io.fieldstone.kernels;
