#!/bin/sh
# As if it asked a server that is slow to answer.
sleep 1
echo 1.0
