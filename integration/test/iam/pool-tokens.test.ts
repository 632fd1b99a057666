import { CognitoIdentity } from '@aws-sdk/client-cognito-identity';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { STS } from '@aws-sdk/client-sts';
import { manifest as cognitoIdentity } from '@emu/svc-cognito-identity/manifest';
import { manifest as cognitoIdp } from '@emu/svc-cognito-idp/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, type IamTest, policy, startIam } from './support.ts';

const RoleArn = `arn:aws:iam::${ACCOUNT}:role/web`;
const INVALID =
  'The web identity token that was passed could not be validated by AWS. Get a new identity token from the identity provider and then retry the request.';
let t: IamTest;
beforeAll(async () => {
  t = await startIam({
    manifests: [iam, sts, cognitoIdp, cognitoIdentity],
    settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } },
  });
});
afterAll(() => t.emulator.close());

const assume = (WebIdentityToken: string) =>
  new STS(t.emulator.clientConfig()).assumeRoleWithWebIdentity({ RoleArn, RoleSessionName: 'web', WebIdentityToken });

/** Makes the role trust a provider, for tokens with an audience. */
async function trust(Federated: string, name: string, audience: string): Promise<void> {
  const AssumeRolePolicyDocument = policy({
    Action: 'sts:AssumeRoleWithWebIdentity',
    Resource: undefined,
    Principal: { Federated },
    Condition: { StringEquals: { [`${name}:aud`]: audience } },
  });
  const known = await t.iam.getRole({ RoleName: 'web' }).catch(() => undefined);
  if (known) await t.iam.updateAssumeRolePolicy({ RoleName: 'web', PolicyDocument: AssumeRolePolicyDocument });
  else await t.iam.createRole({ RoleName: 'web', AssumeRolePolicyDocument });
}

/** Returns a token with another subject and the same signature. */
function forged(token: string): string {
  const [header, body, signature] = token.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
  return `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url')}.${signature}`;
}

test('tokens of a user pool are accepted, and forged ones are not', async () => {
  const pools = new CognitoIdentityProvider(t.emulator.clientConfig());
  const { UserPool } = await pools.createUserPool({ PoolName: 'p' });
  const UserPoolId = UserPool!.Id!;
  const { UserPoolClient } = await pools.createUserPoolClient({
    UserPoolId,
    ClientName: 'c',
    ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
  });
  const ClientId = UserPoolClient!.ClientId!;
  await pools.adminCreateUser({ UserPoolId, Username: 'jane', MessageAction: 'SUPPRESS' });
  await pools.adminSetUserPassword({ UserPoolId, Username: 'jane', Password: 'Passw0rd!', Permanent: true });
  const { AuthenticationResult } = await pools.initiateAuth({
    ClientId,
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: 'jane', PASSWORD: 'Passw0rd!' },
  });
  const token = AuthenticationResult!.IdToken!;
  const name = `cognito-idp.us-east-1.amazonaws.com/${UserPoolId}`;
  const { OpenIDConnectProviderArn } = await t.iam.createOpenIDConnectProvider({
    Url: `https://${name}`,
    ClientIDList: [ClientId],
  });
  await trust(OpenIDConnectProviderArn!, name, ClientId);
  expect(await assume(token)).toMatchObject({ Audience: ClientId, Provider: `https://${name}` });
  await expect(assume(forged(token))).rejects.toMatchObject({
    name: 'InvalidIdentityTokenException',
    message: INVALID,
  });
});

test('tokens of an identity pool are accepted, and forged ones are not', async () => {
  const pools = new CognitoIdentity(t.emulator.clientConfig());
  const { IdentityPoolId } = await pools.createIdentityPool({
    IdentityPoolName: 'p',
    AllowUnauthenticatedIdentities: true,
    AllowClassicFlow: true,
  });
  const { IdentityId } = await pools.getId({ IdentityPoolId });
  const { Token: token } = await pools.getOpenIdToken({ IdentityId });
  await trust('cognito-identity.amazonaws.com', 'cognito-identity.amazonaws.com', IdentityPoolId!);
  expect(await assume(token!)).toMatchObject({ Audience: IdentityPoolId, SubjectFromWebIdentityToken: IdentityId });
  await expect(assume(forged(token!))).rejects.toMatchObject({
    name: 'InvalidIdentityTokenException',
    message: INVALID,
  });
});
