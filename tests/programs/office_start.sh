#!/bin/sh
# An office program writes its registry, 64 blocks of 64 KiB past the page cache, on a file system of its own:
# office_start.sh DEVICE DIRECTORY PROGRAM, which is dd by another name. Says what the kernel counted on the device meanwhile.
set -e
device=$1 dir=$2 office=$3 name=$(basename "$1")
counted() { awk -v d="$name" '$3 == d { print $4 + $8, $6 + $10, $19 }' /proc/diskstats; }
before=$(counted)
mount -t ext4 "$device" "$dir"
began=$(date +%s%N)
"$office" if=/dev/zero of="$dir/applicat.rdb" bs=64k count=64 oflag=direct status=none &
echo "office $!"
wait $!
echo "nanoseconds $(($(date +%s%N) - began))"
umount "$dir"
after=$(counted)
set -- $before $after
echo "requests $(($4 - $1))"
echo "sectors $(($5 - $2))"
echo "flushes $(($6 - $3))"
