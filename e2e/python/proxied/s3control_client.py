"""Access points by boto3, whose requests go through the emulator as a proxy."""

import os

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

account = "123456789012"
config = Config(proxies={"http": os.environ["EMU_PROXY"]}, retries={"max_attempts": 0})
control = boto3.client("s3control", endpoint_url="http://s3-control.us-east-1.amazonaws.com", config=config)
s3 = boto3.client("s3", endpoint_url="http://s3.us-east-1.amazonaws.com", config=config)

s3.create_bucket(Bucket="boto3-points")
created = control.create_access_point(AccountId=account, Name="boto3-point", Bucket="boto3-points")
arn, alias = created["AccessPointArn"], created["Alias"]
assert arn == f"arn:aws:s3:us-east-1:{account}:accesspoint/boto3-point", arn

s3.put_object(Bucket=arn, Key="by/arn", Body=b"one")
assert s3.get_object(Bucket=alias, Key="by/arn")["Body"].read() == b"one"
assert [entry["Key"] for entry in s3.list_objects_v2(Bucket=arn)["Contents"]] == ["by/arn"]

pages = control.get_paginator("list_access_points_for_object_lambda").paginate(AccountId=account)
assert [point for page in pages for point in page["ObjectLambdaAccessPointList"]] == []
control.tag_resource(AccountId=account, ResourceArn=arn, Tags=[{"Key": "team", "Value": "a"}])
assert s3.head_bucket(Bucket=alias)["AccessPointAlias"]

try:
    control.get_access_point_policy(AccountId=account, Name="boto3-point")
    raise AssertionError("there is a policy")
except ClientError as error:
    assert error.response["Error"]["Code"] == "NoSuchAccessPointPolicy", error.response

s3.delete_object(Bucket=arn, Key="by/arn")
control.delete_access_point(AccountId=account, Name="boto3-point")
s3.delete_bucket(Bucket="boto3-points")
