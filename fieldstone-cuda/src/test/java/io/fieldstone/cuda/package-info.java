/** The engine and the kernels that are kept with the sources. */
package io.fieldstone.cuda;
