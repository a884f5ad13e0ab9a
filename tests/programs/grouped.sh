#!/bin/sh
# Runs in a cgroup of its own below FOLDER: grouped.sh FOLDER. Writes to /dev/null by way of cat, once before it goes there and
# once in it, then says where the kernel says that it is ("here PATH") and takes the cgroup away again, while it is in it no more.
set -e
group=$1/dscope-$$
home=$1$(sed -n 's/^0:://p' /proc/self/cgroup)
mkdir -p "$group/inner"
trap 'echo $$ >"$home/cgroup.procs"; rmdir "$group/inner" "$group"' EXIT
cat /dev/null
echo $$ >"$group/inner/cgroup.procs"
cat /dev/null
sed -n 's/^0::/here /p' /proc/self/cgroup
