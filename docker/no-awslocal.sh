#!/bin/sh
echo "awslocal is not in this image of emu: the one whose tag ends in -aws has it, with the AWS CLI" >&2
exit 127
