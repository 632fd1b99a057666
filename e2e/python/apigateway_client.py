"""The client of API Gateway's REST APIs: a mock method, deployed and called; refusals; OpenAPI."""

import json
import os
import urllib.request
from urllib.error import HTTPError

import boto3
from botocore.exceptions import ClientError

api = boto3.client("apigateway")
endpoint = os.environ["AWS_ENDPOINT_URL"]

made = api.create_rest_api(name="client", tags={"_custom_id_": "pyclient"})
assert made["id"] == "pyclient", made
resource = api.create_resource(restApiId="pyclient", parentId=made["rootResourceId"], pathPart="{name}")
place = {"restApiId": "pyclient", "resourceId": resource["id"], "httpMethod": "GET"}
api.put_method(**place, authorizationType="NONE")
api.put_method_response(**place, statusCode="200")
api.put_integration(**place, type="MOCK", requestTemplates={"application/json": '{"statusCode": 200}'})
template = '{"hello": "$input.params(\'name\')", "v": "$stageVariables.v"}'
api.put_integration_response(**place, statusCode="200", responseTemplates={"application/json": template})
api.create_deployment(restApiId="pyclient", stageName="dev", variables={"v": "1"})

with urllib.request.urlopen(f"{endpoint}/_aws/execute-api/pyclient/dev/j%C3%A4ne") as answer:
    # Path parameters are unchanged.
    assert json.load(answer) == {"hello": "j%C3%A4ne", "v": "1"}
try:
    urllib.request.urlopen(f"{endpoint}/_aws/execute-api/pyclient/dev/")
    raise AssertionError("there is no method at the root")
except HTTPError as error:
    assert (error.code, json.load(error)) == (403, {"message": "Missing Authentication Token"})

tested = api.test_invoke_method(**place, pathWithQueryString="/x")
assert tested["status"] == 200 and "Successfully completed execution" in tested["log"], tested

exported = api.get_export(restApiId="pyclient", stageName="dev", exportType="oas30", parameters={"extensions": "apigateway"})
copy = api.import_rest_api(body=exported["body"].read())
paths = [one["path"] for page in api.get_paginator("get_resources").paginate(restApiId=copy["id"]) for one in page["items"]]
assert sorted(paths) == ["/", "/{name}"], paths

try:
    api.update_rest_api(restApiId="pyclient", patchOperations=[{"op": "replace", "path": "/nothing", "value": "x"}])
    raise AssertionError("there is no such path")
except ClientError as error:
    assert error.response["Error"] == {"Code": "BadRequestException", "Message": "Invalid patch path /nothing"}, error.response

api.delete_rest_api(restApiId="pyclient")
assert [one["id"] for one in api.get_rest_apis()["items"]] == [copy["id"]]

print("ok")
