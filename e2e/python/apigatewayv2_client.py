"""The client of HTTP and WebSocket APIs: routes, a mapping, OpenAPI, pages; VPC links and portals; refusals."""

import json
import os
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.error import HTTPError

import boto3
from botocore.exceptions import ClientError

api = boto3.client("apigatewayv2")
endpoint = os.environ["AWS_ENDPOINT_URL"]


class Echo(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"path": self.path, "added": self.headers.get("x-added")}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = HTTPServer(("127.0.0.1", 0), Echo)
threading.Thread(target=server.serve_forever, daemon=True).start()

made = api.create_api(
    Name="client",
    ProtocolType="HTTP",
    CorsConfiguration={"AllowOrigins": ["https://app.example.com"]},
    Tags={"_custom_id_": "pyhttp"},
)
assert made["ApiId"] == "pyhttp" and made["ApiEndpoint"].startswith("https://pyhttp.execute-api."), made
integration = api.create_integration(
    ApiId="pyhttp",
    IntegrationType="HTTP_PROXY",
    IntegrationMethod="GET",
    IntegrationUri=f"http://127.0.0.1:{server.server_port}/pets/{{id}}",
    PayloadFormatVersion="1.0",
    RequestParameters={"append:header.x-added": "$request.querystring.color"},
)
api.create_route(ApiId="pyhttp", RouteKey="GET /animals/{id}", Target=f"integrations/{integration['IntegrationId']}")
api.create_stage(ApiId="pyhttp", StageName="$default", AutoDeploy=True)

base = f"{endpoint}/_aws/execute-api/pyhttp"
request = urllib.request.Request(f"{base}/animals/7?color=red", headers={"origin": "https://app.example.com"})
with urllib.request.urlopen(request) as answer:
    assert answer.headers["access-control-allow-origin"] == "https://app.example.com"
    assert json.load(answer) == {"path": "/pets/7?color=red", "added": "red"}
try:
    urllib.request.urlopen(f"{base}/none")
    raise AssertionError("there is no such route")
except HTTPError as error:
    assert (error.code, json.load(error)) == (404, {"message": "Not Found"})

exported = api.export_api(ApiId="pyhttp", OutputType="JSON", Specification="OAS30", StageName="$default")
document = json.loads(exported["body"].read())
# The copy has another id.
assert document.pop("tags")[0]["name"] == "_custom_id_"
copy = api.import_api(Body=json.dumps(document))
keys = [one["RouteKey"] for page in api.get_paginator("get_routes").paginate(ApiId=copy["ApiId"]) for one in page["Items"]]
assert keys == ["GET /animals/{id}"], keys

chat = api.create_api(Name="chat", ProtocolType="WEBSOCKET", RouteSelectionExpression="$request.body.action")
assert chat["ApiEndpoint"].startswith("wss://"), chat
link = api.create_vpc_link(Name="link", SubnetIds=["subnet-0123456789abcdef0"])
assert api.get_vpc_link(VpcLinkId=link["VpcLinkId"])["VpcLinkStatus"] == "AVAILABLE"
product = api.create_portal_product(DisplayName="Pets")
assert product["PortalProductArn"].endswith(f":/portalproducts/{product['PortalProductId']}"), product

try:
    api.create_route(ApiId="pyhttp", RouteKey="FETCH /x")
    raise AssertionError("there is no such method")
except ClientError as error:
    assert error.response["Error"]["Code"] == "BadRequestException", error.response
try:
    api.get_api(ApiId="none")
    raise AssertionError("there is no such API")
except ClientError as error:
    assert error.response["Error"]["Code"] == "NotFoundException", error.response

api.delete_vpc_link(VpcLinkId=link["VpcLinkId"])
for one in ("pyhttp", copy["ApiId"], chat["ApiId"]):
    api.delete_api(ApiId=one)
assert api.get_apis()["Items"] == []
server.shutdown()

print("ok")
