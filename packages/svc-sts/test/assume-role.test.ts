import {
  AssumeRoleCommand,
  type AssumeRoleCommandInput,
  GetCallerIdentityCommand,
  type STSClient,
} from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { credentialsIn, type Emulator, startEmulator } from './emulator.ts';

let emulator: Emulator;
let client: STSClient;
beforeAll(async () => {
  emulator = await startEmulator();
  client = emulator.sts();
});
afterAll(() => emulator.close());

const role = 'arn:aws:iam::123456789012:role/team/deploy';
const assume = (input: Partial<AssumeRoleCommandInput> = {}, from: STSClient = client) =>
  from.send(new AssumeRoleCommand({ RoleArn: role, RoleSessionName: 'session', ...input }));

const refusal = (name: string, message: string | RegExp) =>
  expect.objectContaining({ name, message: typeof message === 'string' ? message : expect.stringMatching(message) });

describe('AssumeRole', () => {
  test('returns credentials of the role for one hour', async () => {
    const before = Date.now();
    const out = await assume();
    expect(out.AssumedRoleUser?.Arn).toBe('arn:aws:sts::123456789012:assumed-role/deploy/session');
    expect(out.AssumedRoleUser?.AssumedRoleId).toMatch(/^AROA[A-Z2-7]{17}:session$/);
    expect(out.PackedPolicySize).toBeUndefined();
    const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = out.Credentials!;
    expect(AccessKeyId).toMatch(/^ASIA[A-Z2-7]{16}$/);
    expect(SecretAccessKey).toMatch(/^[A-Za-z0-9+/]{40}$/);
    expect(SessionToken!.length).toBeGreaterThan(300);
    expect(Expiration!.getMilliseconds()).toBe(0);
    expect(Math.abs(Expiration!.getTime() - before - 3_600_000)).toBeLessThan(10_000);
  });

  test('the session is the caller of requests signed with it', async () => {
    const out = await assume({ RoleSessionName: 'who-am-i' });
    const me = await emulator.sts(credentialsIn(out)).send(new GetCallerIdentityCommand({}));
    expect(me).toMatchObject({
      Account: '123456789012',
      Arn: 'arn:aws:sts::123456789012:assumed-role/deploy/who-am-i',
      UserId: out.AssumedRoleUser?.AssumedRoleId,
    });
  });

  test('the unique id belongs to the role, not to the session', async () => {
    const ids = await Promise.all(
      [assume({ RoleSessionName: 'a1' }), assume({ RoleSessionName: 'a2' }), assume({ RoleArn: `${role}2` })].map(
        async (one) => (await one).AssumedRoleUser?.AssumedRoleId?.split(':')[0],
      ),
    );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('the region determines the partition', async () => {
    const china = emulator.sts({ region: 'cn-north-1' });
    const arn = 'arn:aws-cn:iam::123456789012:role/deploy';
    expect((await assume({ RoleArn: arn }, china)).AssumedRoleUser?.Arn).toBe(
      'arn:aws-cn:sts::123456789012:assumed-role/deploy/session',
    );
    await expect(assume({ RoleArn: arn })).rejects.toEqual(
      refusal(
        'AccessDenied',
        `User: arn:aws:iam::000000000000:root is not authorized to perform: sts:AssumeRole on resource: ${arn}`,
      ),
    );
  });

  test.each([
    'nothing-valid-in-here',
    'arn::b:::something/test-role',
    'arn:a::::something/test-role',
    'arn:a:::something/test-role',
    'arn:a:a::aaaaaaaaaa:',
  ])('rejects the invalid ARN %s', async (RoleArn) => {
    await expect(assume({ RoleArn })).rejects.toEqual(refusal('ValidationError', `${RoleArn} is invalid`));
  });

  test.each(['arn:aws:iam::123456789012:user/jane', 'arn:aws:iam::1234:role/x-y-z', 'arn:aws:s3:::role/somewhere'])(
    'rejects %s, which is not a role',
    async (RoleArn) => {
      await expect(assume({ RoleArn })).rejects.toMatchObject({
        name: 'AccessDenied',
        $metadata: { httpStatusCode: 403 },
      });
    },
  );

  test.each([
    [
      { RoleSessionName: 'Session1:2' },
      "Value 'Session1:2' at 'roleSessionName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@-]*",
    ],
    [
      { DurationSeconds: 899 },
      "Value '899' at 'durationSeconds' failed to satisfy constraint: Member must have value greater than or equal to 900",
    ],
    [
      { DurationSeconds: 43201 },
      "Value '43201' at 'durationSeconds' failed to satisfy constraint: Member must have value less than or equal to 43200",
    ],
    [
      { ExternalId: 'a b' },
      "Value 'a b' at 'externalId' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@:\\/-]*",
    ],
    [
      { SourceIdentity: 'a/b' },
      "Value 'a/b' at 'sourceIdentity' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@-]*",
    ],
  ])("rejects %j by the model's constraints", async (input, sentence) => {
    await expect(assume(input)).rejects.toEqual(refusal('ValidationError', `1 validation error detected: ${sentence}`));
  });

  test('stores the duration', async () => {
    const { Credentials } = await assume({ DurationSeconds: 43200 });
    expect(Math.abs(Credentials!.Expiration!.getTime() - Date.now() - 43_200_000)).toBeLessThan(10_000);
  });

  test('a chained session lasts one hour at most', async () => {
    const chained = emulator.sts(credentialsIn(await assume()));
    await expect(assume({ DurationSeconds: 3601 }, chained)).rejects.toEqual(
      refusal(
        'ValidationError',
        'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining.',
      ),
    );
    expect((await assume({ DurationSeconds: 3600 }, chained)).Credentials).toBeDefined();
  });

  test('a source identity passes on to sessions created from the session', async () => {
    const first = await assume({ SourceIdentity: 'alice' });
    expect(first.SourceIdentity).toBe('alice');
    const chained = emulator.sts(credentialsIn(first));
    expect((await assume({}, chained)).SourceIdentity).toBe('alice');
    await expect(assume({ SourceIdentity: 'bob' }, chained)).rejects.toEqual(
      refusal('AccessDenied', /sts:SetSourceIdentity/),
    );
  });

  test('rejects contexts of other providers', async () => {
    const ProvidedContexts = [
      { ProviderArn: 'arn:aws:iam::aws:contextProvider/IdentityCenter', ContextAssertion: 'abcd' },
    ];
    await expect(assume({ ProvidedContexts })).rejects.toMatchObject({
      name: 'NotImplemented',
      $metadata: { httpStatusCode: 501 },
    });
  });
});

describe('session tags', () => {
  const Tags = [
    { Key: 'Project', Value: 'Pegasus' },
    { Key: 'Team', Value: '' },
  ];

  test('count towards the packed size', async () => {
    const { PackedPolicySize } = await assume({ Tags });
    expect(PackedPolicySize).toBeGreaterThan(0);
    expect(PackedPolicySize).toBeLessThan(20);
  });

  test('must differ in more than case', async () => {
    await expect(assume({ Tags: [...Tags, { Key: 'project', Value: 'x' }] })).rejects.toEqual(
      refusal('InvalidParameterValue', 'Duplicate tag keys found. Please note that Tag keys are case insensitive.'),
    );
  });

  test("reject AWS's reserved prefix", async () => {
    await expect(assume({ Tags: [{ Key: 'AWS:team', Value: 'x' }] })).rejects.toEqual(
      refusal('InvalidParameterValue', 'System tags cannot be added/updated by requester'),
    );
  });

  test('must exist to be transitive', async () => {
    await expect(assume({ Tags, TransitiveTagKeys: ['Other'] })).rejects.toEqual(
      refusal('InvalidParameterValue', 'The specified transitive tag key must be included in the requested tags.'),
    );
  });

  test('cannot be changed if transitive', async () => {
    const chained = emulator.sts(credentialsIn(await assume({ Tags, TransitiveTagKeys: ['project'] })));
    for (const Key of ['Project', 'PROJECT'])
      await expect(assume({ Tags: [{ Key, Value: 'other' }] }, chained)).rejects.toEqual(
        refusal(
          'InvalidParameterValue',
          "One of the specified transitive tag keys can't be set because it conflicts with a transitive tag key from the calling session.",
        ),
      );
    const second = await assume({ Tags: [{ Key: 'Team', Value: 'new' }] }, chained);
    expect(emulator.session(second)?.tags).toEqual({ Project: 'Pegasus', Team: 'new' });
    expect(emulator.session(second)?.transitiveTagKeys).toEqual(['Project']);
  });

  test('are limited to 50', async () => {
    const many = Array.from({ length: 51 }, (_, index) => ({ Key: `k${index}`, Value: 'v' }));
    await expect(assume({ Tags: many })).rejects.toEqual(
      refusal(
        'ValidationError',
        /'tags' failed to satisfy constraint: Member must have length less than or equal to 50$/,
      ),
    );
  });

  test('have a size limit', async () => {
    const random = (length: number) =>
      Array.from({ length }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('');
    const large = Array.from({ length: 50 }, () => ({ Key: random(100), Value: random(200) }));
    await expect(assume({ Tags: large })).rejects.toEqual(
      refusal('PackedPolicyTooLargeException', /^Packed size of session tags consumes \d{3,}% of allotted space\.$/),
    );
  });
});

describe('session policies', () => {
  const policy = (statement: unknown, rest: object = { Version: '2012-10-17' }) =>
    JSON.stringify({ ...rest, Statement: statement });
  const allow = { Effect: 'Allow', Action: 's3:GetObject', Resource: '*' };

  test('are measured and stored', async () => {
    const Policy = policy([{ Sid: 'Stmt1', ...allow, Condition: { StringLike: { 's3:prefix': ['a', 'b'] } } }]);
    const out = await assume({ Policy, PolicyArns: [{ arn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' }] });
    expect(out.PackedPolicySize).toBeGreaterThan(5);
    expect(emulator.session(out)).toMatchObject({
      policies: [Policy],
      policyArns: ['arn:aws:iam::aws:policy/ReadOnlyAccess'],
    });
  });

  test.each([
    ['no JSON', 'This policy contains invalid Json'],
    ['[]', 'Syntax errors in policy.'],
    ['"text"', 'Syntax errors in policy.'],
    ['{}', 'Missing required field Statement'],
    [policy([]), 'Missing required field Statement cannot be empty!'],
    [policy(['x']), 'Syntax errors in policy.'],
    [policy(allow, { Version: '2020-01-01' }), 'The policy must contain a valid version string.'],
    [policy(allow, { Version: '2012-10-17', Extra: 1 }), 'Syntax errors in policy.'],
    [policy({ ...allow, Effect: 'Maybe' }), 'Invalid effect: Maybe'],
    [policy({ ...allow, Effect: undefined }), 'Missing required field Effect'],
    [policy({ ...allow, Action: undefined }), 'Policy statement must contain actions.'],
    [policy({ ...allow, Resource: [] }), 'Policy statement must contain resources.'],
    [
      policy({ ...allow, Action: 'GetObject' }),
      'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.',
    ],
    [policy({ ...allow, Resource: 'bucket' }), 'Resource bucket must be in ARN format or "*".'],
    [policy({ ...allow, Principal: '*' }), 'Policy document should not specify a principal.'],
    [policy({ ...allow, NotAction: 's3:*' }), 'Syntax errors in policy.'],
    [policy({ ...allow, Condition: { Bool: 'true' } }), 'Syntax errors in policy.'],
    [policy({ ...allow, Condition: { Booleans: { 'aws:a': 'true' } } }), 'Syntax errors in policy.'],
    [policy(allow).replace('"Effect"', '"Effect":"Deny","Effect"'), 'Syntax errors in policy.'],
    [policy({ ...allow, Effect: 'allow' }), 'Invalid effect: allow'],
    [
      policy([
        { ...allow, Sid: 'a' },
        { ...allow, Sid: 'a' },
      ]),
      'Statement IDs (SID) in a single policy must be unique.',
    ],
    [
      policy({ ...allow, Sid: 'a b' }),
      'Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*',
    ],
  ])('rejects %s as a policy', async (Policy, message) => {
    await expect(assume({ Policy })).rejects.toEqual(refusal('MalformedPolicyDocumentException', message));
  });

  test('are rejected above the packed size limit', async () => {
    const Resource = Array.from(
      { length: 80 },
      () => `arn:aws:s3:::${Math.random().toString(36).slice(2)}/${Math.random()}`,
    );
    await expect(assume({ Policy: policy({ ...allow, Resource }) })).rejects.toEqual(
      refusal(
        'PackedPolicyTooLargeException',
        /^Packed policy consumes \d{3,}% of allotted space, please use smaller policy\.$/,
      ),
    );
  });

  test('by ARN are limited to ten of this partition', async () => {
    const arns = (count: number, partition = 'aws') =>
      Array.from({ length: count }, (_, index) => ({ arn: `arn:${partition}:iam::123456789012:policy/p${index}` }));
    expect((await assume({ PolicyArns: arns(10) })).PackedPolicySize).toBeGreaterThan(0);
    await expect(assume({ PolicyArns: arns(11) })).rejects.toEqual(
      refusal(
        'ValidationError',
        /at 'policyArns' failed to satisfy constraint: Member must have length less than or equal to 10$/,
      ),
    );
    await expect(assume({ PolicyArns: arns(1, 'aws-cn') })).rejects.toEqual(
      refusal('ValidationError', 'ARN arn:aws-cn:iam::123456789012:policy/p0 is not valid.'),
    );
  });
});

describe('multi-factor authentication', () => {
  test.each([
    [
      { SerialNumber: 'arn:aws:iam::000000000000:mfa/jane' },
      /must provide both MFA serial number and one time pass code\.$/,
    ],
    [{ TokenCode: '123456' }, /must provide both MFA serial number and one time pass code\.$/],
    [{ SerialNumber: 'arn:aws:iam::999999999999:mfa/jane', TokenCode: '123456' }, /unable to validate MFA code/],
    [{ SerialNumber: 'arn:aws:iam::000000000000:user/jane', TokenCode: '123456' }, /unable to validate MFA code/],
  ])('rejects %j', async (input, message) => {
    await expect(assume(input)).rejects.toEqual(refusal('AccessDenied', message));
  });

  test.each(['arn:aws:iam::000000000000:mfa/jane', 'GAHT12345678'])(
    'with %s is stored in the session',
    async (SerialNumber) => {
      const out = await assume({ SerialNumber, TokenCode: '123456' });
      expect(emulator.session(out)?.mfaAuthenticated).toBe(true);
      expect(emulator.session(await assume())?.mfaAuthenticated).toBe(false);
    },
  );
});
