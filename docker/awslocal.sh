#!/bin/sh
# Runs the AWS CLI with emu, for scripts written for LocalStack.
export AWS_ACCESS_KEY_ID="${AWS_ACCESS_KEY_ID:-test}" AWS_SECRET_ACCESS_KEY="${AWS_SECRET_ACCESS_KEY:-test}"
export AWS_DEFAULT_REGION="${AWS_DEFAULT_REGION:-${AWS_REGION:-us-east-1}}"
exec aws --endpoint-url "${AWS_ENDPOINT_URL:-http://127.0.0.1:4566}" "$@"
