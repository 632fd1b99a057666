"""The client of STS: who one is, with each kind of credentials."""

import base64
import json
import time

import boto3
from botocore.exceptions import ClientError

sts = boto3.client("sts")
root = sts.get_caller_identity()
assert root["Arn"] == "arn:aws:iam::123456789012:root", root


def client_of(credentials, service="sts"):
    return boto3.client(
        service,
        aws_access_key_id=credentials["AccessKeyId"],
        aws_secret_access_key=credentials["SecretAccessKey"],
        aws_session_token=credentials["SessionToken"],
    )


role = sts.assume_role(
    RoleArn="arn:aws:iam::210987654321:role/path/app",
    RoleSessionName="one",
    Tags=[{"Key": "Team", "Value": "blue"}],
    TransitiveTagKeys=["Team"],
)
me = client_of(role["Credentials"]).get_caller_identity()
assert me["Arn"] == "arn:aws:sts::210987654321:assumed-role/app/one", me
assert me["UserId"] == role["AssumedRoleUser"]["AssumedRoleId"], me

# The session belongs to the role's account.
url = client_of(role["Credentials"], "sqs").create_queue(QueueName="of-the-role")["QueueUrl"]
assert url.endswith("/210987654321/of-the-role"), url

federated = sts.get_federation_token(Name="bob")
me = client_of(federated["Credentials"]).get_caller_identity()
assert me["Arn"] == "arn:aws:sts::123456789012:federated-user/bob", me


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def token(**claims):
    body = {"iss": "https://idp.example.com", "sub": "subject", "aud": "app", "exp": int(time.time()) + 60, **claims}
    return f"{encoded({'alg': 'RS256'})}.{encoded(body)}.c2lnbmF0dXJl"


arguments = {"RoleArn": "arn:aws:iam::210987654321:role/web", "RoleSessionName": "web"}
web = sts.assume_role_with_web_identity(**arguments, WebIdentityToken=token())
assert web["SubjectFromWebIdentityToken"] == "subject"
assert web["Provider"] == "https://idp.example.com"
try:
    sts.assume_role_with_web_identity(**arguments, WebIdentityToken=token(exp=int(time.time()) - 1))
    raise AssertionError("the token has expired")
except sts.exceptions.ExpiredTokenException:
    pass
try:
    sts.assume_role(RoleArn="arn:aws:iam::210987654321:role/app", RoleSessionName="one", Policy="{")
    raise AssertionError("the policy is malformed")
except ClientError as error:
    assert error.response["Error"]["Code"] == "MalformedPolicyDocument", error.response

print("ok")
