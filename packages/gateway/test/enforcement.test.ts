import {
  type AnyServicePlugin,
  type ControlPolicies,
  controlPolicies,
  type Principal,
  provide,
  type ServiceAuthorization,
} from '@emu/core/service';
import { awsError } from '@emu/wire';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestEmulator,
  manifestOf,
  type PolicyStatement,
  policyText,
  type TestClientOptions,
  type TestEmulator,
  TestIdentities,
} from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { request, textOf } from './requests.ts';

const ACCOUNT = '123456789012';
const NOTE = `arn:aws:notes:us-east-1:${ACCOUNT}:note/a`;

/** The policies of notes, by name. */
let policies: Record<string, readonly PolicyStatement[]>;
let granted = false;

type NotesOperations = Record<'GetNote' | 'Open', { input: { Name: string }; output: object }>;

const authorization: ServiceAuthorization<NotesOperations, unknown> = {
  operations: {
    GetNote: ({ Name }, ctx) => ({
      action: 'notes:GetNote',
      resource: `arn:aws:notes:${ctx.region}:${ACCOUNT}:note/${Name}`,
      resourcePolicy: policies[Name] && { id: Name, document: policyText(policies[Name]) },
      condition: (key) => (key === 'notes:name' ? Name : undefined),
      granted: () => granted,
      rootKeeps: Name === 'locked',
    }),
    Open: () => [],
  },
  accessDenied: ({ request: { resource }, message }) =>
    resource.endsWith('/secret') ? awsError('NoSuchNote', `There is nothing to see. ${message}`) : undefined,
};

let identities: TestIdentities;
let emulator: TestEmulator;

const start = (plugin: AnyServicePlugin, enforced = true): Promise<TestEmulator> =>
  createTestEmulator({
    manifests: [manifestOf(plugin), identities.manifest],
    settings: { values: { EMULATOR_ENFORCE_IAM: enforced } },
  });

beforeEach(async () => {
  identities = new TestIdentities();
  policies = {};
  granted = false;
  emulator = await start({ ...notesPlugin, authorization: authorization as never });
  const { kernel } = emulator;
  for (const Name of ['a', 'secret', 'locked'])
    await kernel.callJson('notes', 'PutNote', { Name, Text: 'x' }, { accountId: ACCOUNT, region: 'us-east-1' });
});
afterEach(() => emulator.close());

interface Answer {
  status: number;
  code: string | undefined;
  message: string | undefined;
}

/** Calls an operation as a client; the default caller has an unregistered key. */
async function call(
  operation: string,
  input: object = {},
  caller: Partial<TestClientOptions> = { accessKeyId: 'test' },
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await emulator.gateway.handle(
    request({
      headers: {
        host: 'localhost',
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `Notes_20200202.${operation}`,
        ...(caller.accessKeyId !== undefined && {
          authorization: `AWS4-HMAC-SHA256 Credential=${caller.accessKeyId}/20250101/us-east-1/notes/aws4_request, SignedHeaders=host, Signature=0`,
        }),
        ...headers,
      },
      body: JSON.stringify(input),
    }),
  );
  const { __type: type, message } = JSON.parse(await textOf(response)) as { __type?: string; message?: string };
  return { status: response.status, code: type?.split('#')[1], message };
}

const allow = (element: PolicyStatement = {}): PolicyStatement => ({
  Effect: 'Allow',
  Action: 'notes:*',
  Resource: '*',
  ...element,
});
const refused = (who: string, action: string, resource: string, why: string): Answer => ({
  status: 400,
  code: 'AccessDeniedException',
  message: `User: ${who} is not authorized to perform: ${action} on resource: ${resource} ${why}`,
});
const ok: Answer = { status: 200, code: undefined, message: undefined };
const jane = `arn:aws:iam::${ACCOUNT}:user/jane`;

describe('callers', () => {
  it('root users, also by unregistered keys', async () => {
    expect(await call('WhoAmI')).toEqual(ok);
    expect(await call('WhoAmI', {}, {})).toEqual(ok);
    expect(await call('WhoAmI', {}, { accessKeyId: '000000000001' })).toEqual(ok);
  });

  it('users by their policies, which may change', async () => {
    const client = identities.user(emulator, 'jane');
    const refusal = refused(
      jane,
      'notes:WhoAmI',
      '*',
      'because no identity-based policy allows the notes:WhoAmI action',
    );
    expect(await call('WhoAmI', {}, client)).toEqual(refusal);
    identities.user(emulator, 'jane', { may: [allow()] });
    expect(await call('WhoAmI', {}, client)).toEqual(ok);
    identities.user(emulator, 'jane', { may: [allow({ Resource: NOTE })] });
    expect(await call('GetNote', { Name: 'a' }, client)).toEqual(ok);
    expect(await call('WhoAmI', {}, client)).toEqual(refusal);
    identities.user(emulator, 'jane', { may: [allow(), allow({ Effect: 'Deny', Action: 'notes:Who*' })] });
    expect(await call('WhoAmI', {}, client)).toEqual(
      refused(jane, 'notes:WhoAmI', '*', 'with an explicit deny in an identity-based policy'),
    );
    identities.user(emulator, 'jane', { may: [allow()], boundary: [allow({ Action: 's3:*' })] });
    expect(await call('WhoAmI', {}, client)).toEqual(
      refused(jane, 'notes:WhoAmI', '*', 'because no permissions boundary allows the notes:WhoAmI action'),
    );
  });

  it('users unknown to IAM, only if the emulator made them administrators', async () => {
    const { json } = await emulator.control('POST', '/_emulator/iam/create-admin', {
      accountId: ACCOUNT,
      userName: 'ann',
    });
    expect(await call('WhoAmI', {}, json as TestClientOptions)).toEqual(ok);
    const principal = { type: 'user', accountId: ACCOUNT, arn: `${jane}2`, userId: 'AIDAX' } as const;
    emulator.kernel.credentials.put({ accessKeyId: 'AKIAX', secretAccessKey: 's', active: true, principal });
    expect((await call('WhoAmI', {}, { accessKeyId: 'AKIAX' })).code).toBe('AccessDeniedException');
  });

  it('the credentials of the emulator, until IAM has their role', async () => {
    const { json } = await emulator.control('GET', '/_emulator/credentials');
    const { AccessKeyId: accessKeyId } = json as { AccessKeyId: string };
    expect(await call('WhoAmI', {}, { accessKeyId })).toEqual(ok);
    identities.role('emulator');
    expect(await call('WhoAmI', {}, { accessKeyId })).toEqual(
      refused(
        `arn:aws:sts::${ACCOUNT}:assumed-role/emulator/emulator`,
        'notes:WhoAmI',
        '*',
        'because no identity-based policy allows the notes:WhoAmI action',
      ),
    );
  });

  it('sessions of roles, as far as session policies allow', async () => {
    const roleArn = identities.role('app', { may: [allow()] });
    const client = identities.session(emulator, roleArn);
    expect(await call('WhoAmI', {}, client)).toEqual(ok);
    const credential = emulator.kernel.credentials.get(client.accessKeyId!)!;
    const reading = identities.policy('Reading', [allow({ Action: 'notes:Get*' })]);
    const limit = (session: object) =>
      emulator.kernel.credentials.put({ ...credential, session: { ...credential.session!, ...session } });
    const refusal = refused(
      `arn:aws:sts::${ACCOUNT}:assumed-role/app/test`,
      'notes:WhoAmI',
      '*',
      'because no session policy allows the notes:WhoAmI action',
    );
    limit({ policyArns: [reading] });
    expect(await call('WhoAmI', {}, client)).toEqual(refusal);
    expect(await call('GetNote', { Name: 'a' }, client)).toEqual(ok);
    limit({ policyArns: [reading], policies: [policyText([allow({ Action: 'notes:WhoAmI' })])] });
    expect(await call('WhoAmI', {}, client)).toEqual(ok);
    limit({ policyArns: [`arn:aws:iam::${ACCOUNT}:policy/Gone`] });
    expect(await call('WhoAmI', {}, client)).toEqual(refusal);
  });

  it('federated users, as far as both their user and the session policies allow', async () => {
    identities.user(emulator, 'jane', { may: [allow({ Action: ['notes:WhoAmI', 'notes:Wait'] })] });
    const arn = `arn:aws:sts::${ACCOUNT}:federated-user/bob`;
    const principal = { type: 'federated-user', accountId: ACCOUNT, arn, userId: `${ACCOUNT}:bob` } as const;
    const session = { name: 'bob', issuedAt: 0, issuerArn: jane };
    const put = (rest: object) =>
      emulator.kernel.credentials.put({
        accessKeyId: 'ASIABOB',
        secretAccessKey: 's',
        sessionToken: 't',
        active: true,
        principal,
        session: { ...session, ...rest },
      });
    const client = { accessKeyId: 'ASIABOB' };
    put({});
    expect((await call('WhoAmI', {}, client)).message).toMatch(/because no session policy allows/);
    put({ policies: [policyText([allow()])] });
    expect(await call('WhoAmI', {}, client)).toEqual(ok);
    expect((await call('GetNote', { Name: 'a' }, client)).message).toMatch(/because no identity-based policy allows/);
    put({ policies: [policyText([allow()])], issuerArn: `arn:aws:iam::${ACCOUNT}:root` });
    expect(await call('GetNote', { Name: 'a' }, client)).toEqual(ok);
  });

  it('everybody, if policies are not enforced', async () => {
    await emulator.close();
    emulator = await start({ ...notesPlugin, authorization: authorization as never }, false);
    expect(await call('WhoAmI', {}, identities.user(emulator, 'jane'))).toEqual(ok);
  });
});

describe('the authorization of a service', () => {
  it('exempts operations', async () => {
    expect(await call('Open', {}, identities.user(emulator, 'jane'))).toEqual(ok);
  });

  it('has policies of resources', async () => {
    const client = identities.user(emulator, 'jane');
    const get = () => call('GetNote', { Name: 'a' }, client);
    expect((await get()).code).toBe('AccessDeniedException');
    policies = { a: [allow({ Principal: { AWS: jane } })] };
    expect(await get()).toEqual(ok);
    policies = { a: [allow({ Effect: 'Deny', Principal: '*' })] };
    identities.user(emulator, 'jane', { may: [allow()] });
    expect(await get()).toEqual(
      refused(jane, 'notes:GetNote', NOTE, 'with an explicit deny in a resource-based policy'),
    );
    expect((await call('GetNote', { Name: 'a' })).code).toBe('AccessDeniedException');
  });

  it('exempts root users', async () => {
    policies = { locked: [allow({ Effect: 'Deny', Principal: '*' })] };
    expect(await call('GetNote', { Name: 'locked' })).toEqual(ok);
    expect((await call('GetNote', { Name: 'locked' }, { accessKeyId: '000000000001' })).code).toBe(
      'AccessDeniedException',
    );
  });

  it('allows by other means than policies', async () => {
    const client = identities.user(emulator, 'jane');
    granted = true;
    expect(await call('GetNote', { Name: 'a' }, client)).toEqual(ok);
    identities.user(emulator, 'jane', { may: [allow({ Effect: 'Deny' })] });
    expect((await call('GetNote', { Name: 'a' }, client)).code).toBe('AccessDeniedException');
  });

  it('has its own messages', async () => {
    const client = identities.user(emulator, 'jane');
    expect(await call('GetNote', { Name: 'secret' }, client)).toMatchObject({ status: 404, code: 'NoSuchNote' });
  });

  it('applies after errors of input and missing operations', async () => {
    const client = identities.user(emulator, 'jane');
    expect((await call('GetNote', {}, client)).code).toBe('ValidationException');
    expect((await call('Missing', {}, client)).status).toBe(501);
  });
});

describe('protocols', () => {
  it('returns AccessDenied with 403 in the query protocol', async () => {
    const { accessKeyId } = identities.user(emulator, 'jane');
    const response = await emulator.gateway.handle(
      request({
        headers: {
          host: 'localhost',
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20250101/us-east-1/notes/aws4_request, SignedHeaders=host, Signature=0`,
        },
        body: 'Action=WhoAmI&Version=2020-02-02',
      }),
    );
    expect(response.status).toBe(403);
    expect(await textOf(response)).toContain('<Code>AccessDenied</Code>');
  });
});

describe('condition keys', () => {
  const when = async (Condition: object, headers: Record<string, string> = {}) => {
    const client = identities.user(emulator, 'jane', { may: [allow({ Condition })], tags: { Team: 'blue' } });
    return (await call('GetNote', { Name: 'a' }, client, headers)).status === 200;
  };

  it.each<[what: string, condition: object, expected: boolean]>([
    ['the service says', { StringEquals: { 'notes:Name': 'a' } }, true],
    ['of the service with another value', { StringEquals: { 'notes:Name': 'b' } }, false],
    ['the user is', { ArnEquals: { 'aws:PrincipalArn': jane }, StringEquals: { 'aws:username': 'jane' } }, true],
    ['the user has by id', { StringEquals: { 'aws:userid': 'AIDAJANE', 'aws:PrincipalAccount': ACCOUNT } }, true],
    ['the user is of a type', { StringEquals: { 'aws:PrincipalType': 'User' } }, true],
    ['the user is tagged with', { StringEquals: { 'aws:PrincipalTag/team': 'blue' } }, true],
    ['the region is', { StringEquals: { 'aws:RequestedRegion': 'us-east-1' } }, true],
    ['the account of the resource is', { StringEquals: { 'aws:ResourceAccount': ACCOUNT } }, true],
    ['the address is', { IpAddress: { 'aws:SourceIp': '127.0.0.1' } }, true],
    ['the connection is', { Bool: { 'aws:SecureTransport': 'true' } }, false],
    ['the client is', { StringLike: { 'aws:UserAgent': 'aws-*' } }, true],
    ['the time is', { DateGreaterThan: { 'aws:CurrentTime': '2020-01-01T00:00:00Z' } }, true],
    ['long-term keys have no MFA', { Null: { 'aws:MultiFactorAuthPresent': 'true' } }, true],
    ['it is no service', { Bool: { 'aws:PrincipalIsAWSService': 'false', 'aws:ViaAWSService': 'false' } }, true],
  ])('%s', async (_what, condition, expected) => {
    expect(await when(condition, { 'user-agent': 'aws-cli/2' })).toBe(expected);
  });

  it('of sessions', async () => {
    const condition = {
      Bool: { 'aws:MultiFactorAuthPresent': 'true' },
      NumericLessThan: { 'aws:MultiFactorAuthAge': '10' },
      StringEquals: { 'aws:SourceIdentity': 'me', 'aws:PrincipalTag/job': 'dev' },
      ArnEquals: { 'aws:PrincipalArn': `arn:aws:iam::${ACCOUNT}:role/app` },
      Null: { 'aws:TokenIssueTime': 'false', 'aws:username': 'true' },
    };
    const client = identities.session(emulator, identities.role('app', { may: [allow({ Condition: condition })] }));
    expect((await call('WhoAmI', {}, client)).code).toBe('AccessDeniedException');
    const credential = emulator.kernel.credentials.get(client.accessKeyId!)!;
    const session = { ...credential.session!, mfaAuthenticated: true, sourceIdentity: 'me', tags: { Job: 'dev' } };
    emulator.kernel.credentials.put({ ...credential, session });
    expect(await call('WhoAmI', {}, client)).toEqual(ok);
  });
});

describe('calls between services', () => {
  const place = { accountId: ACCOUNT, region: 'us-east-1' };
  const get = (options: object) =>
    emulator.kernel.callJson('notes', 'GetNote', { Name: 'a' }, { ...place, ...options });
  const sns: Principal = { type: 'service', accountId: ACCOUNT, arn: 'sns.amazonaws.com', userId: 'sns' };

  it('need no permission', async () => {
    await expect(get({ principal: sns })).resolves.toMatchObject({ Name: 'a' });
  });

  it('need the permission of the principal that they act for', async () => {
    const authorize = { sourceArn: `arn:aws:sns:us-east-1:${ACCOUNT}:topic`, sourceAccount: ACCOUNT };
    await expect(get({ principal: sns, authorize })).rejects.toMatchObject({
      code: 'AccessDeniedException',
      message: `User: sns.amazonaws.com is not authorized to perform: notes:GetNote on resource: ${NOTE} because no resource-based policy allows the notes:GetNote action`,
    });
    const condition = {
      ArnLike: { 'aws:SourceArn': 'arn:aws:sns:*:*:topic' },
      StringEquals: { 'aws:SourceAccount': ACCOUNT },
      'ForAnyValue:StringEquals': { 'aws:PrincipalServiceNamesList': ['sqs.amazonaws.com', 'sns.amazonaws.com'] },
    };
    policies = { a: [allow({ Principal: { Service: 'sns.amazonaws.com' }, Condition: condition })] };
    await expect(get({ principal: sns, authorize })).resolves.toMatchObject({ Name: 'a' });
    await expect(get({ principal: sns, authorize: {} })).rejects.toMatchObject({ code: 'AccessDeniedException' });
  });

  it('set the service through which a caller comes', async () => {
    const condition = {
      'ForAnyValue:StringEquals': { 'aws:CalledVia': 'notes.amazonaws.com' },
      Bool: { 'aws:ViaAWSService': true },
    };
    identities.user(emulator, 'jane', { may: [allow({ Condition: condition })] });
    const principal: Principal = { type: 'user', accountId: ACCOUNT, arn: jane, userId: 'AIDAJANE' };
    const service = await emulator.kernel.service('notes');
    const options = { ...place, principal, authorize: {} };
    await expect(service.callJson('notes', 'GetNote', { Name: 'a' }, options)).resolves.toMatchObject({ Name: 'a' });
    expect(
      (
        await call(
          'GetNote',
          { Name: 'a' },
          identities.user(emulator, 'jane', { may: [allow({ Condition: condition })] }),
        )
      ).code,
    ).toBe('AccessDeniedException');
  });
});

describe('organizations', () => {
  it('limit their accounts, including root users', async () => {
    await emulator.close();
    const scps: Record<string, PolicyStatement[][]> = { [ACCOUNT]: [[allow()], [allow({ Action: 'notes:Get*' })]] };
    const organization = (): ControlPolicies => ({
      serviceControl: (accountId) =>
        scps[accountId]?.map((statements) => [{ id: 'scp', document: policyText(statements) }]),
      resourceControl: () => undefined,
      organizationId: (accountId) => (scps[accountId] ? 'o-test' : undefined),
    });
    const organizations = {
      ...notesPlugin,
      name: 'organizations',
      collections: [],
      operations: {},
      provides: [provide(controlPolicies, organization)],
    };
    emulator = await createTestEmulator({
      manifests: [
        manifestOf({ ...notesPlugin, authorization: authorization as never }),
        identities.manifest,
        {
          ...manifestOf(organizations as never),
          name: 'organizations',
          signingNames: [],
          targetPrefixes: [],
          hostNames: [],
        },
      ],
      settings: { values: { EMULATOR_ENFORCE_IAM: true } },
    });
    const why = 'because no service control policy allows the notes:WhoAmI action';
    expect(await call('WhoAmI')).toEqual(refused(`arn:aws:iam::${ACCOUNT}:root`, 'notes:WhoAmI', '*', why));
    expect(await call('WhoAmI', {}, { accessKeyId: '000000000001' })).toEqual(ok);
    const condition = { StringEquals: { 'aws:PrincipalOrgID': 'o-test', 'aws:ResourceOrgID': 'o-test' } };
    const client = identities.user(emulator, 'jane', { may: [allow({ Condition: condition })] });
    scps[ACCOUNT] = [[allow()]];
    expect(await call('WhoAmI', {}, client)).toEqual(ok);
    const principal: Principal = { type: 'service', accountId: ACCOUNT, arn: 'sns.amazonaws.com', userId: 'sns' };
    const place = { accountId: ACCOUNT, region: 'us-east-1', principal };
    await emulator.kernel.callJson('notes', 'PutNote', { Name: 'a', Text: 'x' }, { ...place });
    const get = (sourceAccount: string) =>
      emulator.kernel.callJson('notes', 'GetNote', { Name: 'a' }, { ...place, authorize: { sourceAccount } });
    const Condition = { StringEquals: { 'aws:SourceOrgID': 'o-test' } };
    policies = { a: [allow({ Principal: { Service: 'sns.amazonaws.com' }, Condition })] };
    await expect(get(ACCOUNT)).resolves.toMatchObject({ Name: 'a' });
    await expect(get('000000000009')).rejects.toMatchObject({ code: 'AccessDeniedException' });
    // Control policies do not apply to services and their service-linked roles.
    scps[ACCOUNT] = [[allow({ Action: 'notes:List*' })]];
    await expect(get(ACCOUNT)).resolves.toMatchObject({ Name: 'a' });
    const linked = identities.role('aws-service-role/sns.amazonaws.com/AWSServiceRoleForNotes', { may: [allow()] });
    expect(await call('WhoAmI', {}, identities.session(emulator, linked))).toEqual(ok);
    const plain = identities.role('plain', { may: [allow()] });
    expect((await call('WhoAmI', {}, identities.session(emulator, plain))).code).toBe('AccessDeniedException');
  });
});
