/**
 * Events for the Flight Recorder of the JVM: connections, generations, rates and banned peers. They
 * cost next to nothing unless a recording is running.
 */
@NullMarked
package io.fieldstone.net.events;

import org.jspecify.annotations.NullMarked;
