/** A server of Fieldstone that accepts browsers. */
export interface ServerAddress {
  /** `https://HOST:PORT`, or `HOST:PORT`. */
  url: string;
  /**
   * The SHA-256 of each certificate that the server may have, as bytes or hexadecimal digits. Without them it needs a
   * certificate of an authority.
   */
  certificateHashes?: (string | Uint8Array)[];
  /** Where the server has streams of HTTP, for networks that block UDP. They are tried after 1.5 s. */
  streamUrl?: string;
  /**
   * Where the server has its `server.json`. It is read again when the connection is lost, because a server that has
   * started anew has another certificate.
   */
  descriptionUrl?: string;
}

export interface ReceiverOptions {
  /** At least one. Several share each object, and wrong bytes are traced to the server that sent them. */
  servers: ServerAddress[];
  /** The object that `fetch` gets by default: its name, or at least 8 digits of its id. */
  object?: string;
  /**
   * The public keys (`ed25519:` and 64 digits) of publishers, one of whom must have signed the object. The newest record
   * of a name that was used is kept in the storage of the page, and an older one refused.
   */
  publishers?: string[];
  /** What authorizes this receiver. */
  token?: string;
  /** The key of encrypted objects: 32 bytes, or the text of a key file. */
  key?: Uint8Array | string;
  /** The memory for incomplete generations, 64 MiB by default. */
  windowBytes?: number;
  /** The maximum rate of all servers together. */
  maxBytesPerSecond?: number;
}

/** A line of a catalogue. What it says comes from a server: show the name as text, never as markup. */
export interface Entry {
  /** The file name, or the path below a served folder. */
  name: string;
  /** The identity of the object, 64 hexadecimal digits. */
  id: string;
  /** The bytes that are coded: those of the file, or of its ciphertext. */
  length: number;
  /** The number of relays to a server that has the object. */
  hops: number;
  /** What publishers have signed about this name and id. It is not verified. */
  records: PublisherRecord[];
  /** The index of its server. */
  server: number;
}

export interface PublisherRecord {
  /** `ed25519:` and the digits of the public key. */
  publisher: string;
  /** The time in seconds since 1970; 0 if there is none. */
  seconds: number;
  signature: Uint8Array;
}

export interface ServerProgress {
  /** Its host and port. */
  name: string;
  state: 'connecting' | 'asked' | 'open' | 'waiting' | 'left';
  /** Why it is not used, or was not lately; empty if nothing is wrong. It may have a text of the server. */
  problem: string;
  /** Its blocks that were of use. */
  blocks: number;
  /** Its packets that were of no use. */
  redundant: number;
  /** Its packets that were lost. */
  lost: number;
  /** Its packets that this browser dropped. */
  dropped: number;
  /** How it is connected, if not by WebTransport, and why: empty, or `over HTTP: …`. */
  note: string;
}

export interface Progress {
  /** The verified bytes, decrypted. */
  done: number;
  /** The bytes of the file; 0 while they are unknown. */
  total: number;
  /** The generations that are verified. */
  generations: number;
  /** The generations that were fetched again, because bytes were wrong. */
  refetched: number;
  servers: ServerProgress[];
}

export interface FetchedObject {
  id: string;
  /** The name that a server gives; empty if it is unknown. */
  name: string;
  /** The bytes of the file. */
  length: number;
  /** The key of the publisher whose signature was verified; empty if none was asked for. */
  publisher: string;
  /** The time that was signed, in seconds since 1970; 0 if there is none. */
  signedSeconds: number;
}

export interface FetchOptions {
  /**
   * Takes the bytes. A file of the File System Access API gets each part at its place; any other stream gets them in
   * order. A slow sink slows the servers.
   */
  sink?: WritableStream<Uint8Array>;
  /** Called once the object is known, before its first bytes. */
  onStart?(object: FetchedObject): void;
  /** Called ten times a second. */
  onProgress?(progress: Progress): void;
  /** Cancels. */
  signal?: AbortSignal;
}

export interface Playback {
  /** Whether it plays while it arrives, or once it is complete. */
  mode: 'undecided' | 'arriving' | 'complete';
  /** Why it does not play while it arrives, or not at all; empty if nothing is wrong. */
  problem: string;
  /** The type with its codecs, such as `video/mp4; codecs="avc1.64001f,mp4a.40.2"`; empty if it is unknown. */
  type: string;
  /** The seconds that the video can play from where it is. */
  aheadSeconds: number;
  /** How often it had to wait for bytes after it had started. */
  stalls: number;
  hasStarted: boolean;
}

export interface PlayOptions extends Omit<FetchOptions, 'sink'> {
  /**
   * Whether the result has the file, too. Otherwise it is fetched as fast as it plays, and nothing is kept that was
   * played, unless it is a file that plays only once it is complete. False by default.
   */
  keep?: boolean;
  /** The seconds that the video has ahead at most, 30 by default. */
  aheadSeconds?: number;
  /** The seconds that the video has ahead before it starts, 2 by default. */
  startSeconds?: number;
  /** Called when the video changes: several times a second while it plays, also after all bytes have arrived. */
  onPlayback?(playback: Playback): void;
}

/** What a live stream has given since it began. A source is a packet, or a part of one. */
export interface StreamProgress {
  /** The host and port of the server; empty while none is connected. */
  server: string;
  /** Why the last connection was lost; empty if nothing is wrong. */
  problem: string;
  packets: number;
  /** The sources that were passed on, and their bytes. */
  sources: number;
  bytes: number;
  /** The sources that the path lost, and those of them that were repaired in time. */
  lost: number;
  repaired: number;
  /** The sources that came after their deadline. */
  late: number;
  /** The sources that were not passed on. */
  residual: number;
  /** The repairs that came. */
  repairs: number;
  /** The solved symbols that were not those of a source. */
  damaged: number;
  /** The packets that the holder of the key has not made. */
  forged: number;
  /** The packets that this browser or its reader dropped, because they were slow. */
  dropped: number;
  /** The added delay in the last second: what half of the sources, and 99 %, did not exceed. */
  delayMillis50: number;
  delayMillis99: number;
}

export interface StreamOptions {
  /** How long a packet is waited for, beside the delay of the path; by default that of the server. */
  deadlineMillis?: number;
  /** Called where sources are missing between two packets. */
  onGap?(sources: number): void;
  /** Called once a second. */
  onProgress?(progress: StreamProgress): void;
  /** Leaves the stream. */
  signal?: AbortSignal;
}

export interface FetchResult extends FetchedObject {
  /** What decoded: `wasm`, or `js` where WebAssembly is not allowed. */
  engine: 'wasm' | 'js';
  /** The bytes, unless a sink or a video has taken them. */
  blob?: Blob;
}

/** Receives objects from some servers. */
export declare class Receiver {
  /** @throws {RangeError} if an address, a hash or a key is not valid, or there is no server */
  constructor(options: ReceiverOptions);

  /** Lists what the servers offer. A server that fails is left out, unless all do. */
  list(): AsyncGenerator<Entry, void, void>;

  /**
   * Fetches an object from all servers. Each byte is verified before the sink gets it.
   *
   * @param query its name, or at least 8 digits of its id; by default the object of this receiver
   */
  fetch(query?: string, options?: FetchOptions): Promise<FetchResult>;

  /**
   * Fetches a film from all servers, in order, and plays it. Fragmented MP4 and WebM play while they arrive, if the
   * browser has their codecs; other files once they are complete. The video is the caller's: set its `src` to end it.
   *
   * @param query its name, or at least 8 digits of its id; by default the object of this receiver
   * @returns once all bytes have arrived; it may play for longer
   */
  play(query: string | undefined, video: HTMLVideoElement, options?: PlayOptions): Promise<FetchResult>;

  /**
   * Receives a live stream from the first server that answers, and from the next one if the connection is lost. It
   * begins with the next packet. The reader gets whole packets in order; those for which it is too slow are dropped.
   *
   * @returns the packets; it ends with the stream
   */
  stream(options?: StreamOptions): ReadableStream<Uint8Array>;
}

/** Data of a server that are not valid. */
export declare class MalformedDataError extends Error {}

/** A connection that is closed. */
export declare class ClosedError extends Error {
  /** The code of the session (docs/network.md, "Protocol"), or 0. */
  readonly code: number;
}
