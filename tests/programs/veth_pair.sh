#!/bin/bash
# Two network namespaces with a cable between them, and forty datagrams over it that nobody waits for, so that ICMP answers:
# unshare -n veth_pair.sh. Says what the kernel counted at both ends: "near.OutRequests N", "far.InReceives N" and more.
unshare -n sleep 60 &
far=$!
trap 'kill $far' EXIT
here=$(readlink /proc/self/ns/net)
while [ "$(readlink /proc/$far/ns/net)" = "$here" ]; do :; done
ip link add near0 type veth peer name far0 netns "$far" || exit 1
ip address add 198.18.251.1/24 dev near0
ip link set near0 up
nsenter -t "$far" -n sh -c 'ip address add 198.18.251.2/24 dev far0; ip link set far0 up; ip link set lo up'
for ((i = 0; i < 40; i++)); do head -c 100 /dev/zero >/dev/udp/198.18.251.2/9; done
told() { # NAME PID
  echo "$1.namespace $(stat -Lc %i "/proc/$2/ns/net")"
  awk -v e="$1" '$1 == "Ip:" { if (p) for (i = 2; i <= NF; i++) print e "." n[i], $i; p = split($0, n) }' "/proc/$2/net/snmp"
}
told near $$
told far "$far"
