import * as sdk from '@aws-sdk/client-sts';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-sts/model/sts.json' with { type: 'json' };
import type { Scenario } from '../scenario.ts';
import { sender } from '../sdk.ts';

const jwt = (claims: object): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.${Buffer.from('signature').toString('base64url')}`;
};

const token = jwt({ iss: 'https://idp.example', sub: 'ann-0001', aud: 'app', iat: 1_700_000_000, exp: 4_000_000_000 });

const ROLE = 'arn:aws:iam::123456789012:role/app';
const PROVIDER = 'arn:aws:iam::123456789012:saml-provider/idp';
const ATTRIBUTES = 'https://aws.amazon.com/SAML/Attributes';

/** Returns a response of an identity provider, issued now as STS requires. */
const assertion = (): string =>
  Buffer.from(
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns="urn:oasis:names:tc:SAML:2.0:assertion" Destination="https://signin.aws.amazon.com/saml" ID="r" Version="2.0" IssueInstant="${new Date().toISOString()}">
  <Issuer>https://idp.example</Issuer>
  <samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>
  <Assertion ID="a" Version="2.0" IssueInstant="${new Date().toISOString()}">
    <Issuer>https://idp.example</Issuer>
    <Subject>
      <NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">ann-0001</NameID>
      <SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
        <SubjectConfirmationData NotOnOrAfter="2100-01-01T00:00:00Z" Recipient="https://signin.aws.amazon.com/saml"/>
      </SubjectConfirmation>
    </Subject>
    <Conditions NotOnOrAfter="2100-01-01T00:00:00Z">
      <AudienceRestriction><Audience>urn:amazon:webservices</Audience></AudienceRestriction>
    </Conditions>
    <AttributeStatement>
      <Attribute Name="${ATTRIBUTES}/Role"><AttributeValue>${ROLE},${PROVIDER}</AttributeValue></Attribute>
      <Attribute Name="${ATTRIBUTES}/RoleSessionName"><AttributeValue>ann</AttributeValue></Attribute>
    </AttributeStatement>
  </Assertion>
</samlp:Response>`,
  ).toString('base64');

/** AWS STS. No describing operation returns its sessions, so each must return different credentials. */
export const sts: Scenario = {
  service: 'sts',
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const send = sender(new sdk.STSClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk);
    return async (operation, input) =>
      operation === 'CountSessions'
        ? { count: [...emulator.kernel.credentials.list()].length }
        : send(operation, input);
  },
  setUp: async () => ({ role: ROLE }),
  observe: (send) => send('CountSessions', {}),
  inputs: {
    AssumeRole: (facts) => ({ RoleArn: facts.role, RoleSessionName: 'session' }),
    AssumeRoleWithWebIdentity: (facts) => ({
      RoleArn: facts.role,
      RoleSessionName: 'session',
      WebIdentityToken: token,
    }),
    AssumeRoleWithSAML: (facts) => ({
      RoleArn: facts.role,
      PrincipalArn: PROVIDER,
      SAMLAssertion: assertion(),
    }),
    AssumeRoot: () => ({
      TargetPrincipal: '123456789012',
      TaskPolicyArn: { arn: 'arn:aws:iam::aws:policy/root-task/IAMAuditRootUserCredentials' },
    }),
    DecodeAuthorizationMessage: () => ({ EncodedMessage: 'none' }),
    GetAccessKeyInfo: () => ({ AccessKeyId: 'AKIAIOSFODNN7EXAMPLE' }),
    GetDelegatedAccessToken: () => ({ TradeInToken: 'token' }),
    GetFederationToken: () => ({ Name: 'ann' }),
    GetWebIdentityToken: () => ({ Audience: ['app'], SigningAlgorithm: 'ES384' }),
  },
  reads: { GetAccessKeyInfo: undefined, GetCallerIdentity: undefined },
};
