/**
 * Demonstrations of network coding: {@link io.fieldstone.cli.demo.DemoNetwork} runs a server,
 * relays and receivers on loopback, over links that lose packets. {@link
 * io.fieldstone.cli.demo.DelayTrial} measures the delay of frames in virtual time. Classes here do
 * not print.
 */
@NullMarked
package io.fieldstone.cli.demo;

import org.jspecify.annotations.NullMarked;
