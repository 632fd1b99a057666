"""The client of Cognito identity pools: guests, users of a user pool, and what their credentials are of."""

import json

import boto3
from botocore.exceptions import ClientError

identities = boto3.client("cognito-identity")
cognito = boto3.client("cognito-idp")
iam = boto3.client("iam")
PASSWORD = "Passw0rd!"

user_pool = cognito.create_user_pool(PoolName="members")["UserPool"]["Id"]
client = cognito.create_user_pool_client(
    UserPoolId=user_pool, ClientName="app", ExplicitAuthFlows=["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
)["UserPoolClient"]["ClientId"]
cognito.admin_create_user(UserPoolId=user_pool, Username="jane", MessageAction="SUPPRESS")
cognito.admin_set_user_password(UserPoolId=user_pool, Username="jane", Password=PASSWORD, Permanent=True)
id_token = cognito.initiate_auth(
    ClientId=client, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": "jane", "PASSWORD": PASSWORD}
)["AuthenticationResult"]["IdToken"]

provider = f"cognito-idp.{cognito.meta.region_name}.amazonaws.com/{user_pool}"
pool = identities.create_identity_pool(
    IdentityPoolName="members",
    AllowUnauthenticatedIdentities=True,
    CognitoIdentityProviders=[{"ProviderName": provider, "ClientId": client}],
)["IdentityPoolId"]


def role(kind):
    trust = {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Principal": {"Federated": "cognito-identity.amazonaws.com"},
                "Action": "sts:AssumeRoleWithWebIdentity",
                "Condition": {
                    "StringEquals": {"cognito-identity.amazonaws.com:aud": pool},
                    "ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": kind},
                },
            }
        ],
    }
    return iam.create_role(RoleName=f"members-{kind}", AssumeRolePolicyDocument=json.dumps(trust))["Role"]["Arn"]


identities.set_identity_pool_roles(
    IdentityPoolId=pool, Roles={kind: role(kind) for kind in ("authenticated", "unauthenticated")}
)


def session_of(**login):
    identity = identities.get_id(IdentityPoolId=pool, **login)["IdentityId"]
    credentials = identities.get_credentials_for_identity(IdentityId=identity, **login)["Credentials"]
    sts = boto3.client(
        "sts",
        aws_access_key_id=credentials["AccessKeyId"],
        aws_secret_access_key=credentials["SecretKey"],
        aws_session_token=credentials["SessionToken"],
    )
    return identity, sts.get_caller_identity()["Arn"]


_, guest = session_of()
assert guest.endswith("assumed-role/members-unauthenticated/CognitoIdentityCredentials"), guest
member, arn = session_of(Logins={provider: id_token})
assert arn.endswith("assumed-role/members-authenticated/CognitoIdentityCredentials"), arn
assert identities.describe_identity(IdentityId=member)["Logins"] == [provider]

try:
    identities.get_id(IdentityPoolId=pool, Logins={provider: id_token[:-4] + "AAAA"})
    raise AssertionError("a forged token was taken")
except ClientError as error:
    assert error.response["Error"]["Code"] == "NotAuthorizedException", error.response

identities.delete_identity_pool(IdentityPoolId=pool)
print("ok")
