"""Secrets Manager with boto3: values, versions, labels, filters, deletion and policies."""

import json

import boto3

secrets = boto3.client("secretsmanager")

created = secrets.create_secret(Name="python/db", SecretString=json.dumps({"user": "ä"}), Tags=[{"Key": "t", "Value": "1"}])
arn = created["ARN"]
assert arn.startswith("arn:aws:secretsmanager:us-east-1:123456789012:secret:python/db-"), arn
assert json.loads(secrets.get_secret_value(SecretId=arn)["SecretString"]) == {"user": "ä"}

second = secrets.put_secret_value(SecretId="python/db", SecretBinary=b"\x00\xff")["VersionId"]
value = secrets.get_secret_value(SecretId="python/db")
assert value["SecretBinary"] == b"\x00\xff" and value["VersionId"] == second, value
previous = secrets.get_secret_value(SecretId="python/db", VersionStage="AWSPREVIOUS")
assert previous["VersionId"] == created["VersionId"], previous

for number in range(5):
    secrets.create_secret(Name=f"python/many/{number}", SecretString=str(number))
pages = secrets.get_paginator("list_secrets").paginate(
    Filters=[{"Key": "name", "Values": ["python/many"]}], PaginationConfig={"PageSize": 2}
)
assert [secret["Name"] for page in pages for secret in page["SecretList"]] == [f"python/many/{n}" for n in range(5)]
batch = secrets.batch_get_secret_value(Filters=[{"Key": "name", "Values": ["python/many"]}])
assert sorted(entry["SecretString"] for entry in batch["SecretValues"]) == list("01234"), batch

password = secrets.get_random_password(PasswordLength=40, ExcludePunctuation=True)["RandomPassword"]
assert len(password) == 40 and password.isalnum(), password

secrets.delete_secret(SecretId=arn, RecoveryWindowInDays=7)
try:
    secrets.get_secret_value(SecretId=arn)
    raise AssertionError("a deleted secret was read")
except secrets.exceptions.InvalidRequestException as error:
    assert error.response["Error"]["Message"].endswith("because it was marked for deletion."), error.response
secrets.restore_secret(SecretId=arn)
secrets.delete_secret(SecretId=arn, ForceDeleteWithoutRecovery=True)
try:
    secrets.describe_secret(SecretId=arn)
    raise AssertionError("a deleted secret was found")
except secrets.exceptions.ResourceNotFoundException as error:
    assert error.response["Error"]["Message"] == "Secrets Manager can't find the specified secret.", error.response
print("ok")
