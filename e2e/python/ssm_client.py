"""The client of Systems Manager: parameters, versions, labels, paths and errors."""

import boto3
from botocore.exceptions import ClientError

ssm = boto3.client("ssm")
assert ssm.put_parameter(Name="/client/a", Value="one", Type="String")["Version"] == 1
assert ssm.put_parameter(Name="/client/a", Value="two", Overwrite=True)["Version"] == 2
ssm.put_parameter(Name="/client/b/secret", Value="hidden", Type="SecureString")

assert ssm.get_parameter(Name="/client/a")["Parameter"]["Value"] == "two"
assert ssm.get_parameter(Name="/client/a:1")["Parameter"]["Value"] == "one"
assert ssm.get_parameter(Name="/client/b/secret")["Parameter"]["Value"] != "hidden"
assert ssm.get_parameter(Name="/client/b/secret", WithDecryption=True)["Parameter"]["Value"] == "hidden"

pages = ssm.get_paginator("get_parameters_by_path").paginate(
    Path="/client", Recursive=True, PaginationConfig={"PageSize": 1}
)
assert [p["Name"] for page in pages for p in page["Parameters"]] == ["/client/a", "/client/b/secret"]
assert ssm.get_parameters(Names=["/client/a", "/client/x"])["InvalidParameters"] == ["/client/x"]

ssm.label_parameter_version(Name="/client/a", ParameterVersion=1, Labels=["first"])
assert ssm.get_parameter(Name="/client/a:first")["Parameter"]["Version"] == 1

try:
    ssm.get_parameter(Name="/client/missing")
    raise AssertionError("a missing parameter was read")
except ClientError as error:
    assert error.response["Error"]["Code"] == "ParameterNotFound", error.response

deleted = ssm.delete_parameters(Names=["/client/a", "/client/b/secret", "/client/x"])
assert (sorted(deleted["DeletedParameters"]), deleted["InvalidParameters"]) == (
    ["/client/a", "/client/b/secret"],
    ["/client/x"],
)
print("ok")
