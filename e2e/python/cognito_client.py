"""The client of Cognito user pools: a pool, a user who signs up, and tokens."""

import base64
import json
import urllib.request

import boto3
from botocore.exceptions import ClientError

cognito = boto3.client("cognito-idp")
PASSWORD = "Passw0rd!"

pool = cognito.create_user_pool(PoolName="client", AutoVerifiedAttributes=["email"])["UserPool"]["Id"]
client = cognito.create_user_pool_client(
    UserPoolId=pool, ClientName="client", ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
)["UserPoolClient"]["ClientId"]
signed_up = cognito.sign_up(
    ClientId=client,
    Username="jane",
    Password=PASSWORD,
    UserAttributes=[{"Name": "email", "Value": "jane@example.com"}],
)
assert signed_up["CodeDeliveryDetails"]["Destination"] == "j***@e***", signed_up

url = f"{cognito.meta.endpoint_url}/_emulator/cognito/confirmation-codes/{pool}/jane"
with urllib.request.urlopen(url) as response:
    code = json.load(response)["codes"][0]["code"]
cognito.confirm_sign_up(ClientId=client, Username="jane", ConfirmationCode=code)

tokens = cognito.initiate_auth(
    ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": "jane", "PASSWORD": PASSWORD}
)["AuthenticationResult"]
body = tokens["IdToken"].split(".")[1]
claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
assert (claims["aud"], claims["email"], claims["email_verified"]) == (client, "jane@example.com", True), claims
assert cognito.get_user(AccessToken=tokens["AccessToken"])["Username"] == "jane"
names = [user["Username"] for page in cognito.get_paginator("list_users").paginate(UserPoolId=pool) for user in page["Users"]]
assert names == ["jane"], names

try:
    cognito.initiate_auth(
        ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": "jane", "PASSWORD": "wrong"}
    )
    raise AssertionError("a wrong password was taken")
except ClientError as error:
    assert error.response["Error"] == {
        "Code": "NotAuthorizedException",
        "Message": "Incorrect username or password.",
    }, error.response

cognito.delete_user_pool(UserPoolId=pool)
print("ok")
