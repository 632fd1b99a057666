"""Prints who the caller is to STS and to SQS, or the code of the refusal."""

import boto3
from botocore.exceptions import ClientError

try:
    boto3.client("sqs").list_queues()
    print(boto3.client("sts").get_caller_identity()["Arn"])
except ClientError as error:
    print(error.response["Error"]["Code"])
