"""The client of Lambda: functions, versions, aliases, layers, paging, waiters and errors."""

import base64
import hashlib
import io
import json
import zipfile

import boto3
from botocore.exceptions import ClientError

ROLE = "arn:aws:iam::123456789012:role/client"


def package(source):
    """A deployment package with one file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("app.py", source)
    return out.getvalue()


def refused(code, call, **arguments):
    """The message of an error that a call must end with."""
    try:
        call(**arguments)
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error
        return error.response["Error"]["Message"]
    raise AssertionError("the call succeeded")


client = boto3.client("lambda")
code = package("def handler(event, context):\n    return {'got': event, 'version': context.function_version}\n")
created = client.create_function(
    FunctionName="client",
    Runtime="python3.12",
    Role=ROLE,
    Handler="app.handler",
    Code={"ZipFile": code},
    Publish=True,
    Tags={"team": "a"},
)
assert created["State"] == "Pending" and created["Version"] == "1", created
assert created["CodeSha256"] == base64.b64encode(hashlib.sha256(code).digest()).decode()
client.get_waiter("function_active_v2").wait(FunctionName="client")
client.get_waiter("published_version_active").wait(FunctionName="client", Qualifier="1")
answer = client.invoke(FunctionName="client", Qualifier="1", Payload=json.dumps({"n": 1}))
assert json.load(answer["Payload"]) == {"got": {"n": 1}, "version": "1"}

client.update_function_configuration(FunctionName="client", Timeout=20, Environment={"Variables": {"KEY": "v"}})
client.get_waiter("function_updated_v2").wait(FunctionName="client")
client.publish_version(FunctionName="client", Description="second")
alias = client.create_alias(
    FunctionName="client",
    Name="live",
    FunctionVersion="1",
    RoutingConfig={"AdditionalVersionWeights": {"2": 0.5}},
)
assert alias["RoutingConfig"] == {"AdditionalVersionWeights": {"2": 0.5}}
pages = client.get_paginator("list_versions_by_function").paginate(
    FunctionName="client", PaginationConfig={"PageSize": 2}
)
assert [one["Version"] for page in pages for one in page["Versions"]] == ["$LATEST", "1", "2"]

layer = client.publish_layer_version(LayerName="tools", Content={"ZipFile": code})
assert client.get_layer_version_by_arn(Arn=layer["LayerVersionArn"])["Version"] == 1
client.update_function_configuration(FunctionName="client", Layers=[layer["LayerVersionArn"]])
assert client.get_function_configuration(FunctionName="client")["Layers"][0]["CodeSize"] == len(code)

assert refused("ResourceConflictException", client.create_function, **{
    "FunctionName": "client", "Runtime": "python3.12", "Role": ROLE, "Handler": "app.handler", "Code": {"ZipFile": code},
}) == "Function already exist: client"
assert refused("InvalidParameterValueException", client.update_function_code, FunctionName="client", ZipFile=b"x") == (
    "Could not unzip uploaded file. Please check your file, then try to upload again."
)
assert refused("ResourceNotFoundException", client.get_function, FunctionName="nobody") == (
    "Function not found: arn:aws:lambda:us-east-1:123456789012:function:nobody"
)

client.delete_function(FunctionName="client")
client.delete_layer_version(LayerName="tools", VersionNumber=1)
assert client.list_functions()["Functions"] == []
assert client.get_account_settings()["AccountUsage"] == {"TotalCodeSize": 0, "FunctionCount": 0}
print("ok")
