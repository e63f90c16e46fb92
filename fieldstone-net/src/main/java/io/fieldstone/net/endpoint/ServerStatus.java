package io.fieldstone.net.endpoint;

/**
 * Numbers of a server at one moment. Counts are since its start.
 *
 * @param files the files offered
 * @param clients the connections that are open
 * @param sessions the clients that were accepted
 * @param refused the clients that were refused or broke the protocol
 * @param objects the objects opened
 * @param packetsSent the data packets sent
 * @param bytesSent their bytes
 * @param packetsLost the data packets that clients reported as lost
 * @param reports the reports of clients
 * @param generations the generations in memory
 * @param generationBytes their bytes
 */
public record ServerStatus(
    int files,
    int clients,
    long sessions,
    long refused,
    long objects,
    long packetsSent,
    long bytesSent,
    long packetsLost,
    long reports,
    long generations,
    long generationBytes) {}
