"""Access points, Storage Lens and Access Grants by boto3, whose requests go through the emulator as a proxy."""

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

lens = {"Id": "boto3-lens", "IsEnabled": True, "AccountLevel": {"BucketLevel": {}}}
control.put_storage_lens_configuration(AccountId=account, ConfigId="boto3-lens", StorageLensConfiguration=lens)
entries = control.list_storage_lens_configurations(AccountId=account)["StorageLensConfigurationList"]
assert [entry["Id"] for entry in entries] == ["boto3-lens", "default-account-dashboard"], entries
control.delete_storage_lens_configuration(AccountId=account, ConfigId="boto3-lens")

control.create_access_grants_instance(AccountId=account)
location = control.create_access_grants_location(
    AccountId=account, LocationScope="s3://boto3-points", IAMRoleArn=f"arn:aws:iam::{account}:role/location"
)["AccessGrantsLocationId"]
grant = control.create_access_grant(
    AccountId=account,
    AccessGrantsLocationId=location,
    AccessGrantsLocationConfiguration={"S3SubPrefix": "by/*"},
    Grantee={"GranteeType": "IAM", "GranteeIdentifier": f"arn:aws:iam::{account}:root"},
    Permission="READ",
)
assert grant["GrantScope"] == "s3://boto3-points/by/*", grant
given = control.get_data_access(AccountId=account, Target="s3://boto3-points/by/*", Permission="READ")["Credentials"]
granted = boto3.client(
    "s3",
    endpoint_url="http://s3.us-east-1.amazonaws.com",
    config=config,
    aws_access_key_id=given["AccessKeyId"],
    aws_secret_access_key=given["SecretAccessKey"],
    aws_session_token=given["SessionToken"],
)
assert granted.get_object(Bucket="boto3-points", Key="by/arn")["Body"].read() == b"one"
try:
    control.get_data_access(AccountId=account, Target="s3://boto3-points/by/*", Permission="WRITE")
    raise AssertionError("nobody may write")
except ClientError as error:
    assert error.response["Error"]["Code"] == "AccessDenied", error.response
control.delete_access_grant(AccountId=account, AccessGrantId=grant["AccessGrantId"])
control.delete_access_grants_location(AccountId=account, AccessGrantsLocationId=location)
control.delete_access_grants_instance(AccountId=account)

s3.delete_object(Bucket=arn, Key="by/arn")
control.delete_access_point(AccountId=account, Name="boto3-point")
s3.delete_bucket(Bucket="boto3-points")
