// biome-ignore-all lint/suspicious/noTemplateCurlyInString: policies spell their variables so.

import {
  AssumeRoleCommand,
  type AssumeRoleCommandInput,
  AssumeRoleWithWebIdentityCommand,
  GetAccessKeyInfoCommand,
  GetCallerIdentityCommand,
  GetFederationTokenCommand,
  GetSessionTokenCommand,
  STSClient,
} from '@aws-sdk/client-sts';
import { type PolicyStatement, policyText, TestIdentities } from '@emu/gateway/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { credentialsIn, type Emulator, startEmulator } from './emulator.ts';

const ACCOUNT = '123456789012';
const OTHER = '000000000002';
const JANE = `arn:aws:iam::${ACCOUNT}:user/jane`;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/app`;

let identities: TestIdentities;
let emulator: Emulator;

beforeEach(async () => {
  identities = new TestIdentities();
  emulator = await startEmulator([identities.manifest], {
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
    verifySigv4: true,
  });
});
afterEach(() => emulator.close());

const allow = (Action: string | string[], rest: PolicyStatement = {}): PolicyStatement => ({
  Effect: 'Allow',
  Action,
  Resource: '*',
  ...rest,
});
const trust = (principal: object, rest: PolicyStatement = {}): PolicyStatement => ({
  Effect: 'Allow',
  Action: 'sts:AssumeRole',
  Principal: principal,
  ...rest,
});
const as = (name: string, may: PolicyStatement[] = [], accountId = ACCOUNT): STSClient =>
  emulator.sts(identities.user(emulator, name, { may, accountId }));
const assume = (sts: STSClient, input: Partial<AssumeRoleCommandInput> = {}) =>
  sts.send(new AssumeRoleCommand({ RoleArn: ROLE, RoleSessionName: 'one', ...input }));
const refused = (action: string, why: string, resource = ROLE) => ({
  name: 'AccessDenied',
  message: `User: ${JANE} is not authorized to perform: ${action} on resource: ${resource} ${why}`,
  $metadata: expect.objectContaining({ httpStatusCode: 403 }),
});
const denied = { name: 'AccessDenied' };
const anyoneHere = { AWS: `arn:aws:iam::${ACCOUNT}:root` };

describe('AssumeRole', () => {
  test('requires a role whose trust policy admits the caller', async () => {
    const jane = as('jane', [allow('sts:*')]);
    const why = 'because no role trust policy allows the sts:AssumeRole action';
    await expect(assume(jane)).rejects.toMatchObject(refused('sts:AssumeRole', why));
    identities.role('app', { trusts: [trust({ Service: 'lambda.amazonaws.com' })] });
    await expect(assume(jane)).rejects.toMatchObject(refused('sts:AssumeRole', why));
    identities.role('app', { trusts: [trust(anyoneHere)] });
    expect((await assume(jane)).AssumedRoleUser).toEqual({
      AssumedRoleId: 'AROAAPP:one',
      Arn: `arn:aws:sts::${ACCOUNT}:assumed-role/app/one`,
    });
    identities.role('app', { trusts: [trust(anyoneHere), trust({ AWS: '*' }, { Effect: 'Deny' })] });
    await expect(assume(jane)).rejects.toMatchObject(
      refused('sts:AssumeRole', 'with an explicit deny in the role trust policy'),
    );
  });

  test('also requires a policy of the caller, unless the role trusts the caller itself', async () => {
    identities.role('app', { trusts: [trust(anyoneHere)] });
    await expect(assume(as('jane'))).rejects.toMatchObject(
      refused('sts:AssumeRole', 'because no identity-based policy allows the sts:AssumeRole action'),
    );
    identities.role('app', { trusts: [trust({ AWS: JANE })] });
    await assume(as('jane'));
    const eve = `arn:aws:iam::${OTHER}:user/eve`;
    identities.role('app', { trusts: [trust({ AWS: eve })] });
    await expect(assume(as('eve', [], OTHER))).rejects.toMatchObject(denied);
    await assume(as('eve', [allow('sts:AssumeRole', { Resource: ROLE })], OTHER));
  });

  test('evaluates the conditions of the trust policy', async () => {
    const condition = {
      StringEquals: { 'sts:ExternalId': 'secret', 'sts:RoleSessionName': '${aws:username}' },
      Bool: { 'aws:MultiFactorAuthPresent': 'true' },
    };
    identities.role('app', { trusts: [trust(anyoneHere, { Condition: condition })] });
    const jane = as('jane', [allow('sts:AssumeRole')]);
    const mfa = { SerialNumber: `arn:aws:iam::${ACCOUNT}:mfa/jane`, TokenCode: '123456' };
    const right = { ExternalId: 'secret', RoleSessionName: 'jane', ...mfa };
    await assume(jane, right);
    for (const wrong of [
      { ExternalId: 'other' },
      { RoleSessionName: 'bob' },
      { SerialNumber: undefined, TokenCode: undefined },
    ])
      await expect(assume(jane, { ...right, ...wrong })).rejects.toMatchObject(denied);
  });

  test('with tags and a source identity requires permissions for them', async () => {
    identities.role('app', { trusts: [trust(anyoneHere, { Action: ['sts:AssumeRole', 'sts:TagSession'] })] });
    const jane = as('jane', [
      allow('sts:AssumeRole'),
      allow('sts:TagSession', { Condition: { StringEquals: { 'aws:RequestTag/team': 'blue' } } }),
    ]);
    const tagged = (Value: string) => assume(jane, { Tags: [{ Key: 'Team', Value }] });
    await tagged('blue');
    await expect(tagged('red')).rejects.toMatchObject(
      refused('sts:TagSession', 'because no identity-based policy allows the sts:TagSession action'),
    );
    await expect(assume(jane, { SourceIdentity: 'me' })).rejects.toMatchObject(
      refused('sts:SetSourceIdentity', 'because no role trust policy allows the sts:SetSourceIdentity action'),
    );
  });
});

describe('sessions', () => {
  const info = (sts: STSClient) => sts.send(new GetAccessKeyInfoCommand({ AccessKeyId: 'AKIAIOSFODNN7EXAMPLE' }));
  const session = async (input: Partial<AssumeRoleCommandInput>) =>
    new STSClient(emulator.clientConfig(credentialsIn(await assume(as('jane', [allow('sts:*')]), input))));

  test('of a role allow what both the role and the session policies allow', async () => {
    identities.role('app', { may: [allow('sts:GetAccessKeyInfo')], trusts: [trust(anyoneHere)] });
    await info(await session({}));
    await expect(info(await session({ Policy: policyText([allow('sqs:*')]) }))).rejects.toMatchObject({
      message: `User: arn:aws:sts::${ACCOUNT}:assumed-role/app/one is not authorized to perform: sts:GetAccessKeyInfo on resource: * because no session policy allows the sts:GetAccessKeyInfo action`,
    });
    const arn = identities.policy('Asking', [allow('sts:Get*')]);
    await info(await session({ PolicyArns: [{ arn }] }));
    identities.role('app', { may: [], trusts: [trust(anyoneHere)] });
    await expect(info(await session({ PolicyArns: [{ arn }] }))).rejects.toMatchObject(denied);
  });

  test('can assume a role that trusts their role', async () => {
    identities.role('app', { trusts: [trust(anyoneHere)], may: [] });
    identities.role('next', { trusts: [trust({ AWS: ROLE })] });
    const next = { RoleArn: ROLE.replace('app', 'next') };
    await assume(await session({}), next);
    identities.role('next', { trusts: [trust({ AWS: `${ROLE}2` })] });
    await expect(assume(await session({}), next)).rejects.toMatchObject(denied);
  });

  test('of a federated user allow what both its user and its policies allow', async () => {
    const jane = as('jane', [allow('sts:*')]);
    const federate = async (Policy?: string) =>
      emulator.sts(credentialsIn(await jane.send(new GetFederationTokenCommand({ Name: 'bob', Policy }))));
    await expect(info(await federate())).rejects.toMatchObject(denied);
    await info(await federate(policyText([allow('sts:GetAccessKeyInfo')])));
    await expect(as('jane').send(new GetFederationTokenCommand({ Name: 'bob' }))).rejects.toMatchObject(
      refused(
        'sts:GetFederationToken',
        'because no identity-based policy allows the sts:GetFederationToken action',
        `arn:aws:sts::${ACCOUNT}:federated-user/bob`,
      ),
    );
  });

  test('of the caller itself and GetCallerIdentity require no permission', async () => {
    const jane = as('jane', [allow('sts:*', { Effect: 'Deny' })]);
    const own = emulator.sts(credentialsIn(await jane.send(new GetSessionTokenCommand({}))));
    expect((await own.send(new GetCallerIdentityCommand({}))).Arn).toBe(JANE);
    await expect(info(own)).rejects.toMatchObject(denied);
  });
});

describe('AssumeRoleWithWebIdentity', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const provider = `arn:aws:iam::${ACCOUNT}:oidc-provider/token.example.com`;
  const assumeAs = (sub: string, iss = 'https://token.example.com') =>
    emulator.sts().send(
      new AssumeRoleWithWebIdentityCommand({
        RoleArn: ROLE,
        RoleSessionName: 'ci',
        WebIdentityToken: `${part({ alg: 'RS256' })}.${part({ iss, sub, aud: 'me', exp: 4_000_000_000 })}.c2ln`,
      }),
    );
  const trustWeb = (Federated: string, name: string) =>
    trust(
      { Federated },
      {
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: { StringLike: { [`${name}:sub`]: 'repo:acme/*' }, StringEquals: { [`${name}:aud`]: 'me' } },
      },
    );
  const refusal = { name: 'AccessDenied', message: 'Not authorized to perform sts:AssumeRoleWithWebIdentity' };

  test('requires a role that trusts the provider and the subject', async () => {
    await expect(assumeAs('repo:acme/app')).rejects.toMatchObject(refusal);
    identities.role('app', { trusts: [trustWeb(provider, 'token.example.com')] });
    const out = await assumeAs('repo:acme/app');
    expect(emulator.session(out)).toMatchObject({ provider, claims: { 'token.example.com:sub': 'repo:acme/app' } });
    await expect(assumeAs('repo:evil/app')).rejects.toMatchObject(refusal);
    await expect(assumeAs('repo:acme/app', 'https://other.example.com')).rejects.toMatchObject(refusal);
  });

  test('accepts providers built into IAM', async () => {
    identities.role('app', { trusts: [trustWeb('accounts.google.com', 'accounts.google.com')] });
    await assumeAs('repo:acme/app', 'https://accounts.google.com');
    await expect(assumeAs('repo:acme/app')).rejects.toMatchObject(refusal);
  });
});
