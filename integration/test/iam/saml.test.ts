import { AssumeRoleWithSAMLCommand, STSClient } from '@aws-sdk/client-sts';
import { createLogger } from '@emu/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificate, makeMetadata } from '../../../packages/svc-iam/test/certificates.ts';
import { SignedXml } from '../../../packages/svc-sts/src/saml/xml-crypto.js';
import { ACCOUNT, failureOf, type IamTest, startIam, trust } from './support.ts';

const RoleArn = `arn:aws:iam::${ACCOUNT}:role/saml`;
const PrincipalArn = `arn:aws:iam::${ACCOUNT}:saml-provider/idp`;
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const CANONICAL = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const idp = await makeCertificate('idp');
const other = await makeCertificate('other');

const warnings: string[] = [];
let t: IamTest;
beforeAll(async () => {
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => void warnings.push(line) });
  t = await startIam({ log });
  await t.iam.createRole({ RoleName: 'saml', AssumeRolePolicyDocument: trust() });
});
afterAll(() => t.emulator.close());

const iso = (seconds: number) => new Date(t.emulator.kernel.clock.now() + seconds * 1000).toISOString();

const response = ({ issuer = 'https://idp.example', from = 0 } = {}): string => `<samlp:Response
    xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r">
  <saml:Assertion ID="_a" Version="2.0" IssueInstant="${iso(-1)}"><saml:Issuer>${issuer}</saml:Issuer>
    <saml:Subject><saml:NameID>jane</saml:NameID><saml:SubjectConfirmation>
      <saml:SubjectConfirmationData NotOnOrAfter="${iso(300)}" Recipient="https://signin.aws.amazon.com/saml"/>
    </saml:SubjectConfirmation></saml:Subject>
    <saml:Conditions NotBefore="${iso(from)}" NotOnOrAfter="${iso(300)}"/>
    <saml:AttributeStatement>
      <saml:Attribute Name="https://aws.amazon.com/SAML/Attributes/Role"><saml:AttributeValue>${RoleArn},${PrincipalArn}</saml:AttributeValue></saml:Attribute>
      <saml:Attribute Name="https://aws.amazon.com/SAML/Attributes/RoleSessionName"><saml:AttributeValue>jane</saml:AttributeValue></saml:Attribute>
    </saml:AttributeStatement></saml:Assertion></samlp:Response>`;

function signed(document: string, key = idp.private, element = 'Assertion'): string {
  const signature = new SignedXml({
    privateKey: key,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: CANONICAL,
  });
  const xpath = `//*[local-name(.)='${element}']`;
  const digestAlgorithm = 'http://www.w3.org/2001/04/xmlenc#sha256';
  signature.addReference({ xpath, transforms: [ENVELOPED, CANONICAL], digestAlgorithm });
  signature.computeSignature(document, { location: { reference: xpath, action: 'append' } });
  return signature.getSignedXml();
}

const assume = (document: string, on = t) =>
  new STSClient(on.emulator.clientConfig()).send(
    new AssumeRoleWithSAMLCommand({
      RoleArn,
      PrincipalArn,
      SAMLAssertion: Buffer.from(document).toString('base64'),
    }),
  );

test('the provider must exist if policies are enforced; otherwise a warning reports its absence', async () => {
  await using enforcing = await startIam({ settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } } });
  expect(await failureOf(assume(response(), enforcing))).toBe("InvalidIdentityToken: Specified provider doesn't exist");
  await assume(response());
  expect(warnings).toEqual([expect.stringContaining("Specified provider doesn't exist")]);
});

test('a response must be signed with a key of the provider', async () => {
  await t.iam.createSAMLProvider({ Name: 'idp', SAMLMetadataDocument: makeMetadata(idp) });
  expect((await assume(signed(response()))).Subject).toBe('jane');
  expect((await assume(signed(response(), idp.private, 'Response'))).Subject).toBe('jane');
  const invalid = 'InvalidIdentityToken: Response signature invalid';
  expect(await failureOf(assume(response()))).toBe(invalid);
  expect(await failureOf(assume(signed(response(), other.private)))).toBe(invalid);
  expect(await failureOf(assume(signed(response()).replace('>jane</saml:NameID>', '>root</saml:NameID>')))).toBe(
    invalid,
  );
});

test('an assertion beside the signed one is ignored', async () => {
  const good = signed(response());
  const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(good)![0];
  const evil = assertion
    .replace('ID="_a"', 'ID="_evil"')
    .replace('>jane</saml:NameID>', '>root</saml:NameID>')
    .replace(/<Signature[\s\S]*<\/Signature>/, '');
  expect(await failureOf(assume(good.replace(assertion, () => evil + assertion)))).toBe(
    'InvalidIdentityToken: Response signature invalid',
  );
});

test('rejects another issuer, and an assertion that is not yet valid', async () => {
  expect(await failureOf(assume(signed(response({ issuer: 'https://elsewhere.example' }))))).toBe(
    'InvalidIdentityToken: Issuer not present in specified provider',
  );
  expect(await failureOf(assume(signed(response({ from: 60 }))))).toBe(
    'InvalidIdentityToken: Your request included an invalid SAML response',
  );
});
