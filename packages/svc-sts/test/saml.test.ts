import { createHash } from 'node:crypto';
import { AssumeRoleWithSAMLCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { TestIdentities } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { credentialsIn, type Emulator, secondsLeft, startEmulator } from './emulator.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

const RoleArn = 'arn:aws:iam::123456789012:role/saml';
const PrincipalArn = 'arn:aws:iam::123456789012:saml-provider/MySAMLIdP';
const iso = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

interface Parts {
  issued: string;
  confirmedUntil: string;
  validUntil: string;
  nameId: string;
  sessionEnd: string;
  audience: string;
  attributes: Record<string, string[]>;
  prologue: string;
}

/** Returns a response with the namespace prefixes that identity providers use. */
function response(changes: Partial<Parts> = {}): string {
  const parts: Parts = {
    issued: iso(-1),
    confirmedUntil: iso(300),
    validUntil: iso(300),
    nameId: '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">j&amp;ne</saml:NameID>',
    sessionEnd: '',
    audience: 'https://signin.aws.amazon.com/saml',
    prologue: '<?xml version="1.0" encoding="UTF-8"?>',
    ...changes,
    attributes: { Role: [`${RoleArn},${PrincipalArn}`], RoleSessionName: ['jane@example.com'], ...changes.attributes },
  };
  const attributes = Object.entries(parts.attributes)
    .map(
      ([name, values]) =>
        `<saml:Attribute Name="https://aws.amazon.com/SAML/Attributes/${name}">${values
          .map((value) => `<saml:AttributeValue xsi:type="xs:string">${value}</saml:AttributeValue>`)
          .join('')}</saml:Attribute>`,
    )
    .join('\n');
  return `${parts.prologue}
<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"
    xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <saml:Issuer>https://idp.example.com/response</saml:Issuer>
  <!-- a comment -->
  <saml:Assertion ID="_1" Version="2.0" IssueInstant="${parts.issued}">
    <saml:Issuer>https://idp.example.com/saml</saml:Issuer>
    <saml:Subject>
      ${parts.nameId}
      <saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
        <saml:SubjectConfirmationData NotOnOrAfter="${parts.confirmedUntil}" Recipient="https://signin.aws.amazon.com/saml"/>
      </saml:SubjectConfirmation>
    </saml:Subject>
    <saml:Conditions NotOnOrAfter="${parts.validUntil}">
      <saml:AudienceRestriction><saml:Audience>${parts.audience}</saml:Audience></saml:AudienceRestriction>
    </saml:Conditions>
    <saml:AuthnStatement ${parts.sessionEnd && `SessionNotOnOrAfter="${parts.sessionEnd}"`}/>
    <saml:AttributeStatement>${attributes}
      <saml:Attribute Name="mail"><saml:AttributeValue>jane@example.com</saml:AttributeValue></saml:Attribute>
    </saml:AttributeStatement>
  </saml:Assertion>
</samlp:Response>`;
}

const assumeWith = (SAMLAssertion: string, input: object = {}) =>
  emulator.sts().send(new AssumeRoleWithSAMLCommand({ RoleArn, PrincipalArn, SAMLAssertion, ...input }));
const assume = (changes: Partial<Parts> = {}, input: object = {}) =>
  assumeWith(Buffer.from(response(changes)).toString('base64'), input);

describe('AssumeRoleWithSAML', () => {
  test('uses the session in the response', async () => {
    const out = await assume();
    expect(out).toMatchObject({
      Subject: 'j&ne',
      SubjectType: 'persistent',
      Issuer: 'https://idp.example.com/saml',
      Audience: 'https://signin.aws.amazon.com/saml',
      NameQualifier: createHash('sha1').update('https://idp.example.com/saml123456789012/MySAMLIdP').digest('base64'),
      AssumedRoleUser: { Arn: 'arn:aws:sts::123456789012:assumed-role/saml/jane@example.com' },
    });
    expect(secondsLeft(out)).toBeCloseTo(3600, -2);
    const me = await emulator.sts(credentialsIn(out)).send(new GetCallerIdentityCommand({}));
    expect(me.UserId).toBe(out.AssumedRoleUser?.AssumedRoleId);
  });

  test('keeps an unknown format', async () => {
    const nameId = '<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">a@b.c</saml:NameID>';
    expect((await assume({ nameId })).SubjectType).toBe('urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress');
  });

  test('uses tags, source identity and duration from attributes', async () => {
    const out = await assume({
      attributes: {
        'PrincipalTag:Team': ['blue'],
        'PrincipalTag:Cost': ['1'],
        TransitiveTagKeys: ['Team', 'Cost'],
        SourceIdentity: ['jane'],
        SessionDuration: ['1800'],
      },
    });
    expect(secondsLeft(out)).toBeCloseTo(1800, -2);
    expect(out.SourceIdentity).toBe('jane');
    expect(emulator.session(out)).toMatchObject({
      tags: { Team: 'blue', Cost: '1' },
      transitiveTagKeys: ['Team', 'Cost'],
      sourceIdentity: 'jane',
    });
  });

  test('ends with the session of the identity provider', async () => {
    expect(secondsLeft(await assume({ sessionEnd: iso(1000) }))).toBeCloseTo(1000, -2);
    expect(secondsLeft(await assume({ sessionEnd: iso(10_000) }, { DurationSeconds: 900 }))).toBeCloseTo(900, -2);
  });

  test('accepts the ARNs of a role in either order', async () => {
    expect((await assume({ attributes: { Role: [`${PrincipalArn}, ${RoleArn}`] } })).Credentials).toBeDefined();
  });

  test.each([
    [{ issued: iso(-301) }],
    [{ confirmedUntil: iso(-1) }],
    [{ validUntil: iso(-1) }],
    [{ sessionEnd: iso(-1) }],
  ])('rejects %j as expired', async (changes) => {
    await expect(assume(changes)).rejects.toMatchObject({
      name: 'ExpiredTokenException',
      message: 'Token must be redeemed within 5 minutes of issuance',
    });
  });

  test.each<[Partial<Parts>, string]>([
    [{ audience: 'https://example.com' }, 'Response does not contain the required audience.'],
    [{ nameId: '' }, 'Your request included an invalid SAML response'],
    [{ confirmedUntil: 'soon' }, 'Your request included an invalid SAML response'],
    [{ attributes: { RoleSessionName: [] } }, 'RoleSessionName is required in AuthnResponse'],
    [
      { attributes: { RoleSessionName: ['a b'] } },
      'RoleSessionName in AuthnResponse must match [a-zA-Z_0-9+=,.@-]{2,64}',
    ],
    [{ attributes: { SessionDuration: ['1'] } }, 'SessionDuration in AuthnResponse must be between 900 and 43200'],
    [
      { attributes: { SourceIdentity: ['aws:x'] } },
      'Source Identity must match [a-zA-Z_0-9+=,.@-]{2,64} and not begin with "aws:"',
    ],
    [{ attributes: { 'PrincipalTag:Te*m': ['x'] } }, 'The session tags in the SAML response are malformed'],
    [{ prologue: '<!DOCTYPE r [<!ENTITY x "y">]>' }, 'Your request included an invalid SAML response'],
    [{ nameId: '<saml:NameID>&x;</saml:NameID>' }, 'Your request included an invalid SAML response'],
  ])('rejects %j', async (changes, message) => {
    await expect(assume(changes)).rejects.toMatchObject({ name: 'InvalidIdentityTokenException', message });
  });

  test.each([
    ['****', 'Invalid base64 SAMLResponse'],
    ['bm8geG1s', 'Your request included an invalid SAML response'],
    [Buffer.from('<Response>').toString('base64'), 'Your request included an invalid SAML response'],
    [Buffer.from('<Response/>').toString('base64'), 'Your request included an invalid SAML response'],
  ])('rejects %s as a response', async (assertion, message) => {
    await expect(assumeWith(assertion)).rejects.toMatchObject({ name: 'InvalidIdentityTokenException', message });
  });

  test('rejects a document with exponential expansion quickly', async () => {
    const levels = Array.from(
      { length: 20 },
      (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
    ).join('');
    const bomb = `<!DOCTYPE r [<!ENTITY e0 "lol">${levels}]><r>&e20;</r>`;
    await expect(assumeWith(Buffer.from(bomb).toString('base64'))).rejects.toMatchObject({
      name: 'InvalidIdentityTokenException',
    });
  });

  test('rejects deep nesting', async () => {
    const deep = '<a>'.repeat(20_000);
    await expect(assumeWith(Buffer.from(deep).toString('base64'))).rejects.toMatchObject({
      name: 'InvalidIdentityTokenException',
    });
  });

  test.each([
    [{ attributes: { Role: [`arn:aws:iam::123456789012:role/other,${PrincipalArn}`] } }, {}],
    [{}, { PrincipalArn: 'arn:aws:iam::123456789012:user/MySAMLIdP' }],
    [{}, { PrincipalArn: 'arn:aws:iam::123456789012:saml-provider/Other' }],
  ])('rejects %j %j', async (changes, input) => {
    await expect(assume(changes, input)).rejects.toMatchObject({
      name: 'AccessDenied',
      message: 'Not authorized to perform sts:AssumeRoleWithSAML',
      $metadata: { httpStatusCode: 403 },
    });
  });
});

test('with policies enforced, the role must trust the provider', async () => {
  const identities = new TestIdentities();
  await using enforcing = await startEmulator([identities.manifest], {
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const SAMLAssertion = Buffer.from(response()).toString('base64');
  const assumeHere = () =>
    enforcing.sts().send(new AssumeRoleWithSAMLCommand({ RoleArn, PrincipalArn, SAMLAssertion }));
  const trusting = (aud: string) =>
    identities.role('saml', {
      trusts: [
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRoleWithSAML',
          Principal: { Federated: PrincipalArn },
          Condition: { StringEquals: { 'SAML:aud': aud, 'saml:sub': 'j&ne' } },
        },
      ],
    });
  const refusal = { name: 'AccessDenied', message: 'Not authorized to perform sts:AssumeRoleWithSAML' };
  await expect(assumeHere()).rejects.toMatchObject(refusal);
  trusting('https://elsewhere.example.com');
  await expect(assumeHere()).rejects.toMatchObject(refusal);
  trusting('https://signin.aws.amazon.com/saml');
  const out = await assumeHere();
  expect(enforcing.session(out)).toMatchObject({ provider: PrincipalArn, claims: { 'saml:sub': 'j&ne' } });
});
