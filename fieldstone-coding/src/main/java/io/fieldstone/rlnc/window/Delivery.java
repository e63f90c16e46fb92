package io.fieldstone.rlnc.window;

/** When a decoder delivers packets. */
public enum Delivery {

  /** By id: a packet waits until all before it are delivered or declared lost. */
  IN_ORDER,

  /** As soon as it is received or solved. */
  AS_DECODED
}
