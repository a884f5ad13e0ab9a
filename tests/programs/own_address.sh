#!/bin/bash
# Forty datagrams to an address that nothing else on this machine has, and the answers that nobody listens, in a network
# namespace: unshare -n own_address.sh ADDRESS SECONDS. Says what the kernel counted there; stays for SECONDS after that.
ip link set lo up && ip address add "$1/32" dev lo || exit 1
for ((i = 0; i < 40; i++)); do head -c 100 /dev/zero >"/dev/udp/$1/9"; done
# A table's lines come in pairs: names, values.
awk '$1 == "Ip:" || $1 == "IpExt:" { if (p != $1) { p = $1; split($0, n) } else { p = ""; for (i = 2; i <= NF; i++) print n[i], $i } }' \
  /proc/net/snmp /proc/net/netstat
sleep "$2"
