#!/usr/bin/env bash
# Runs a paced QUIC sender beside one TCP flow of the kernel, through one router, and prints the bit/s of both.
# beside-tcp.sh CONTROL RATE_MBIT QUEUE_BYTES SECONDS JAVA...   as root, in a network namespace of its own
set -euo pipefail
control=$1 rate=$2 queue=$3 seconds=$4
shift 4

# This namespace is the router: a queue on the sender's own host would slow its TCP without loss.
unshare -n sleep 1000 &
sender=$!
unshare -n sleep 1000 &
receiver=$!
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
for pid in $sender $receiver; do
  until [[ $(readlink /proc/$pid/ns/net) != $(readlink /proc/$$/ns/net) ]]; do sleep 0.05; done
done
at() { nsenter -t "$1" -n "${@:2}"; }

ip link add ra type veth peer name va netns $sender
ip link add rb type veth peer name vb netns $receiver
ip addr add 10.99.1.1/24 dev ra
ip addr add 10.99.2.1/24 dev rb
ip link set ra up
ip link set rb up
at $sender ip addr add 10.99.1.2/24 dev va
at $sender ip link set va up
at $sender ip route add default via 10.99.1.1
at $receiver ip addr add 10.99.2.2/24 dev vb
at $receiver ip link set vb up
at $receiver ip route add default via 10.99.2.1
sysctl -qw net.ipv4.ip_forward=1
# Segments of many packets would pass the router as one.
at $sender ip link set va gso_max_segs 1
tc qdisc add dev rb root tbf rate "${rate}mbit" burst 5kb limit "$queue"

at $receiver iperf3 -s -1 >/dev/null &
at $sender "$@" serve 10.99.1.2 4242 >&2 &
at $receiver "$@" receive 10.99.1.2 4242 3 "$seconds" &
ours=$!
at $sender iperf3 -c 10.99.2.2 -C "$control" -t $((seconds + 6)) -J |
  sed -n '/"sum_received"/,/}/s/.*"bits_per_second":[^0-9]*\([0-9.e+]*\).*/tcp \1/p'
wait $ours
tc -s qdisc show dev rb >&2
