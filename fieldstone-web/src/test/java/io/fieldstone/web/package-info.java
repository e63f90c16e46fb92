/** Tests of the receiver for browsers with senders of the library. */
@NullMarked
package io.fieldstone.web;

import org.jspecify.annotations.NullMarked;
