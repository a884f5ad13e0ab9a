#!/bin/sh
# Reads and writes of known sizes on a file system of its own: known_io.sh DEVICE DIRECTORY. Says what the kernel counted on
# the device meanwhile, in sectors: "read N", "written N".
set -e
device=$1 dir=$2 name=$(basename "$1")
counted() { awk -v d="$name" '$3 == d { print $6, $10 }' /proc/diskstats; }
before=$(counted)
mount -t ext4 "$device" "$dir"
dd if=/dev/zero of="$dir/direct" bs=64k count=32 oflag=direct status=none
dd if=/dev/zero of="$dir/buffered" bs=64k count=32 conv=fsync status=none
dd if=/dev/zero of="$dir/later" bs=4k count=300 status=none
sync -f "$dir"
umount "$dir"
mount -t ext4 "$device" "$dir"
cat "$dir/buffered" > /dev/null
dd if="$dir/direct" of=/dev/null bs=128k iflag=direct status=none
umount "$dir"
sync "$device"
after=$(counted)
set -- $before $after
echo "read $(($3 - $1))"
echo "written $(($4 - $2))"
