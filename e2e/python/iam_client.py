"""A user with a key, a role and its policies, by boto3's client, resource and paginators."""

import json

import boto3
from botocore.exceptions import ClientError

iam = boto3.client("iam")
document = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": ["s3:Get*"], "Resource": "arn:aws:s3:::a/*"}],
}
trust = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}

user = iam.create_user(UserName="py", Path="/py/", Tags=[{"Key": "k", "Value": "v"}])["User"]
assert user["Arn"] == "arn:aws:iam::123456789012:user/py/py", user
iam.get_waiter("user_exists").wait(UserName="py")
policy = iam.create_policy(PolicyName="py", PolicyDocument=json.dumps(document))["Policy"]
iam.attach_user_policy(UserName="py", PolicyArn=policy["Arn"])
key = iam.create_access_key(UserName="py")["AccessKey"]
own = boto3.client("iam", aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])
assert own.get_user()["User"]["UserName"] == "py"
last_used = iam.get_access_key_last_used(AccessKeyId=key["AccessKeyId"])
assert last_used["UserName"] == "py" and last_used["AccessKeyLastUsed"]["ServiceName"] == "iam", last_used

role = boto3.resource("iam").create_role(RoleName="py", AssumeRolePolicyDocument=json.dumps(trust))
assert role.assume_role_policy_document == trust, role.assume_role_policy_document
role.Policy("inline").put(PolicyDocument=json.dumps(document))
assert role.Policy("inline").policy_document == document
role.attach_policy(PolicyArn=policy["Arn"])
assert [one.arn for one in role.attached_policies.all()] == [policy["Arn"]]

managed = [one for page in iam.get_paginator("list_policies").paginate(Scope="AWS") for one in page["Policies"]]
assert len(managed) > 1400, len(managed)
assert len({one["Arn"] for one in managed}) == len(managed)

try:
    iam.delete_role(RoleName="py")
    raise AssertionError("the role has policies")
except iam.exceptions.DeleteConflictException as error:
    assert error.response["Error"]["Message"] == "Cannot delete entity, must detach all policies first.", error
try:
    iam.get_user(UserName="nobody")
    raise AssertionError("there is no such user")
except ClientError as error:
    assert error.response["Error"]["Code"] == "NoSuchEntity", error

role.detach_policy(PolicyArn=policy["Arn"])
role.Policy("inline").delete()
role.delete()
iam.delete_access_key(UserName="py", AccessKeyId=key["AccessKeyId"])
iam.detach_user_policy(UserName="py", PolicyArn=policy["Arn"])
iam.delete_user(UserName="py")
iam.delete_policy(PolicyArn=policy["Arn"])
print("ok")
