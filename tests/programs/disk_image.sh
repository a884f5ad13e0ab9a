#!/bin/sh
# A virtual machine's disk is written in small blocks, then all is quiet until five seconds have passed:
# disk_image.sh PROGRAM COUNT, where PROGRAM is dd by another name.
"$1" if=/dev/zero of=/dev/null bs=512 count="$2" seek=1 conv=notrunc status=none &
echo "image $!"
wait $!
sleep 5.5
