import { sendRaw } from '@emu/gateway/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT, failureOf, REGION, type SecretsTest, startSecrets, token } from './support.ts';

let run: SecretsTest;
beforeEach(async () => {
  run = await startSecrets();
});
afterEach(() => run[Symbol.asyncDispose]());

const NOT_FOUND = "ResourceNotFoundException: Secrets Manager can't find the specified secret.";
const MARKED =
  "InvalidRequestException: You can't perform this operation on the secret because it was marked for deletion.";
const without = <T extends { $metadata: unknown }>({ $metadata: _, ...answer }: T) => answer;

describe('CreateSecret', () => {
  test('creates a secret with a value', async () => {
    const { secrets } = run;
    const created = await secrets.createSecret({
      Name: 'app/db',
      SecretString: 'hidden',
      Description: 'of the database',
      ClientRequestToken: token(1),
      Tags: [{ Key: 'team', Value: 'blue' }],
    });
    expect(created).toMatchObject({
      ARN: expect.stringMatching(
        new RegExp(`^arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:app/db-[A-Za-z0-9]{6}$`),
      ),
      Name: 'app/db',
      VersionId: token(1),
    });
    const now = new Date(run.emulator.kernel.clock.now());
    expect(without(await secrets.describeSecret({ SecretId: 'app/db' }))).toEqual({
      ARN: created.ARN,
      Name: 'app/db',
      Description: 'of the database',
      CreatedDate: now,
      LastChangedDate: now,
      Tags: [{ Key: 'team', Value: 'blue' }],
      VersionIdsToStages: { [token(1)]: ['AWSCURRENT'] },
    });
    expect(without(await secrets.getSecretValue({ SecretId: created.ARN }))).toEqual({
      ARN: created.ARN,
      Name: 'app/db',
      SecretString: 'hidden',
      VersionId: token(1),
      VersionStages: ['AWSCURRENT'],
      CreatedDate: now,
    });
  });

  test('creates no version without a value', async () => {
    const { secrets } = run;
    expect(await secrets.createSecret({ Name: 'empty' })).not.toHaveProperty('VersionId');
    expect(await secrets.describeSecret({ SecretId: 'empty' })).not.toHaveProperty('VersionIdsToStages');
    expect(await failureOf(secrets.getSecretValue({ SecretId: 'empty' }))).toBe(
      "ResourceNotFoundException: Secrets Manager can't find the specified secret value for staging label: AWSCURRENT",
    );
  });

  test('accepts a repeated request, and rejects another one with the same name', async () => {
    const { secrets } = run;
    const input = { Name: 'once', SecretString: 'a', ClientRequestToken: token(1) };
    const { ARN } = await secrets.createSecret(input);
    expect(await secrets.createSecret(input)).toMatchObject({ ARN, VersionId: token(1) });
    for (const other of [{ ...input, SecretString: 'b', ClientRequestToken: token(2) }, { Name: 'once' }])
      expect(await failureOf(secrets.createSecret(other))).toBe(
        'ResourceExistsException: The operation failed because the secret once already exists.',
      );
    expect(await failureOf(secrets.createSecret({ ...input, SecretString: 'b' }))).toBe(
      `ResourceExistsException: You can't use ClientRequestToken ${token(1)} because that value is already in use for a version of secret ${ARN}.`,
    );
    expect((await secrets.getSecretValue({ SecretId: 'once' })).SecretString).toBe('a');
  });

  test.each(['Inv Name', ' Inv Name', ' Inv*Name? ', ' Inv *?!]Name\\-'])('rejects the name "%s"', async (Name) => {
    const { secrets } = run;
    const SecretId = Name;
    for (const refused of [
      secrets.createSecret({ Name, SecretString: 'x' }),
      secrets.deleteSecret({ SecretId, ForceDeleteWithoutRecovery: true }),
      secrets.describeSecret({ SecretId }),
      secrets.getSecretValue({ SecretId }),
      secrets.listSecretVersionIds({ SecretId }),
      secrets.putSecretValue({ SecretId, SecretString: 'x' }),
      secrets.tagResource({ SecretId, Tags: [] }),
      secrets.untagResource({ SecretId, TagKeys: [] }),
      secrets.updateSecret({ SecretId, Description: 'x' }),
      secrets.validateResourcePolicy({ SecretId, ResourcePolicy: '{}' }),
    ])
      expect(await failureOf(refused)).toBe(
        'ValidationException: Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
      );
  });

  test('rejects raw requests without a token in all operations that create versions', async () => {
    await run.secrets.createSecret({ Name: 'raw', SecretString: 'x' });
    const send = async (operation: string, input: object) => {
      const { status, text } = await sendRaw(run.emulator, {
        method: 'POST',
        target: '/',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `secretsmanager.${operation}`,
        },
        chunks: [JSON.stringify(input)],
      });
      return { status, ...JSON.parse(text) };
    };
    const Message = 'You must provide a ClientRequestToken value. We recommend a UUID-type value.';
    const SecretString = 'y';
    expect(await send('CreateSecret', { Name: 'none', SecretString })).toEqual({
      status: 400,
      __type: 'InvalidRequestException',
      Message,
    });
    for (const operation of ['UpdateSecret', 'PutSecretValue'])
      expect(await send(operation, { SecretId: 'raw', SecretString })).toMatchObject({
        __type: 'InvalidRequestException',
        Message,
      });
    expect(await send('RotateSecret', { SecretId: 'raw' })).toMatchObject({
      __type: 'InvalidParameterException',
      Message,
    });
    expect((await run.secrets.getSecretValue({ SecretId: 'raw' })).SecretString).toBe('x');
    expect(await failureOf(run.secrets.describeSecret({ SecretId: 'none' }))).toMatch(/^ResourceNotFoundException/);
  });

  test('rejects two values, values over the limit, and reserved tags', async () => {
    const { secrets } = run;
    const create = (input: object) => failureOf(secrets.createSecret({ Name: 'x', ...input }));
    expect(await create({ SecretString: 'a', SecretBinary: Buffer.from('a') })).toMatch(/^InvalidParameterException/);
    expect(await create({ SecretString: 'é'.repeat(40_000) })).toMatch(/^InvalidParameterException/);
    expect(await create({ Tags: [{ Key: 'aws:x', Value: 'y' }] })).toMatch(/^InvalidParameterException/);
    expect(await create({ ClientRequestToken: 'short' })).toMatch(/clientRequestToken/);
    expect((await secrets.listSecrets({})).SecretList).toEqual([]);
  });
});

test('a secret is found by its name, its ARN, and its ARN without random suffix', async () => {
  const { secrets } = run;
  for (const Name of ['plain', 'Valid/_+=.@-Name-a1b2', 'Valid/_+=.@-Name-a1b2c3-', 'Invalid/_+=.@-Name-a1b2c3']) {
    const { ARN } = await secrets.createSecret({ Name, SecretString: Name });
    const found = async (SecretId: string) => (await secrets.getSecretValue({ SecretId })).SecretString;
    expect(await found(Name)).toBe(Name);
    expect(await found(ARN!)).toBe(Name);
    const partial = found(ARN!.slice(0, -7));
    // A suffix that looks random is treated as one.
    if (Name.startsWith('Invalid')) expect(await failureOf(partial)).toBe(NOT_FOUND);
    else expect(await partial).toBe(Name);
    expect(await failureOf(found(`${ARN!.slice(0, -6)}XXXXXX`))).toBe(NOT_FOUND);
    expect(await failureOf(found(ARN!.replace(REGION, 'eu-west-1')))).toBe(NOT_FOUND);
  }
});

test('another account has access with a policy only', async () => {
  const { ARN } = await run.secrets.createSecret({ Name: 's', SecretString: 'x' });
  const other = run.client({ accessKeyId: '000000000002' });
  expect(await failureOf(other.getSecretValue({ SecretId: ARN }))).toMatch(
    /^AccessDeniedException: User: .* because no resource-based policy allows the secretsmanager:GetSecretValue action$/,
  );
  expect(await failureOf(other.getSecretValue({ SecretId: 's' }))).toBe(NOT_FOUND);
});

describe('UpdateSecret', () => {
  test('updates the description and the value', async () => {
    const { secrets } = run;
    await secrets.createSecret({ Name: 's', SecretString: 'a', ClientRequestToken: token(1) });
    expect(await secrets.updateSecret({ SecretId: 's', Description: 'd' })).not.toHaveProperty('VersionId');
    const input = { SecretId: 's', SecretBinary: Buffer.from('b'), ClientRequestToken: token(2) };
    expect(await secrets.updateSecret(input)).toMatchObject({ Name: 's', VersionId: token(2) });
    expect(await secrets.describeSecret({ SecretId: 's' })).toMatchObject({
      Description: 'd',
      VersionIdsToStages: { [token(1)]: ['AWSPREVIOUS'], [token(2)]: ['AWSCURRENT'] },
    });
    expect(Buffer.from((await secrets.getSecretValue({ SecretId: 's' })).SecretBinary!).toString()).toBe('b');
    expect(await failureOf(secrets.updateSecret({ ...input, SecretBinary: Buffer.from('c') }))).toMatch(
      /^ResourceExistsException: You can't use ClientRequestToken .* already in use for a version of secret arn:/,
    );
    expect(await failureOf(secrets.updateSecret({ SecretId: 'none' }))).toBe(NOT_FOUND);
  });
});

describe('deletion', () => {
  test('waits for the recovery window, in which the secret can be restored', async () => {
    const { secrets } = run;
    const { ARN } = await secrets.createSecret({ Name: 's', SecretString: 'a' });
    const deleted = await secrets.deleteSecret({ SecretId: 's', RecoveryWindowInDays: 7 });
    const now = run.emulator.kernel.clock.now();
    expect(deleted).toMatchObject({ ARN, Name: 's', DeletionDate: new Date(now + 7 * 86_400_000) });
    expect(await secrets.describeSecret({ SecretId: 's' })).toMatchObject({ DeletedDate: new Date(now) });
    for (const refused of [
      () => secrets.getSecretValue({ SecretId: 's' }),
      () => secrets.putSecretValue({ SecretId: 's', SecretString: 'b' }),
      () => secrets.updateSecret({ SecretId: 's', Description: 'd' }),
      () => secrets.tagResource({ SecretId: 's', Tags: [{ Key: 'a', Value: 'b' }] }),
      () => secrets.untagResource({ SecretId: 's', TagKeys: ['a'] }),
      () => secrets.getResourcePolicy({ SecretId: 's' }),
      () => secrets.rotateSecret({ SecretId: 's' }),
    ])
      expect(await failureOf(refused())).toBe(MARKED);
    expect(await failureOf(secrets.createSecret({ Name: 's' }))).toBe(
      "InvalidRequestException: You can't create this secret because a secret with this name is already scheduled for deletion.",
    );
    expect(await failureOf(secrets.deleteSecret({ SecretId: 's' }))).toBe(
      "InvalidRequestException: You tried to perform the operation on a secret that's currently marked deleted.",
    );
    expect((await secrets.listSecrets({})).SecretList).toEqual([]);
    expect((await secrets.listSecrets({ IncludePlannedDeletion: true })).SecretList).toHaveLength(1);
    await secrets.restoreSecret({ SecretId: 's' });
    await run.advance(8);
    expect((await secrets.getSecretValue({ SecretId: 's' })).SecretString).toBe('a');
    await secrets.deleteSecret({ SecretId: 's' });
    await run.advance(29.9);
    expect((await secrets.describeSecret({ SecretId: 's' })).ARN).toBe(ARN);
    await run.advance(0.2);
    expect(await failureOf(secrets.describeSecret({ SecretId: 's' }))).toBe(NOT_FOUND);
    expect(await failureOf(secrets.restoreSecret({ SecretId: 's' }))).toBe(NOT_FOUND);
    expect((await secrets.createSecret({ Name: 's' })).ARN).not.toBe(ARN);
  });

  test('without a recovery window is immediate, and accepts an unknown secret', async () => {
    const { secrets } = run;
    await secrets.createSecret({ Name: 's', SecretString: 'a' });
    await secrets.deleteSecret({ SecretId: 's' });
    await secrets.deleteSecret({ SecretId: 's', ForceDeleteWithoutRecovery: true });
    expect(await failureOf(secrets.describeSecret({ SecretId: 's' }))).toBe(NOT_FOUND);
    expect(await secrets.deleteSecret({ SecretId: 's', ForceDeleteWithoutRecovery: true })).toMatchObject({
      Name: 's',
    });
    expect(await failureOf(secrets.deleteSecret({ SecretId: 's' }))).toBe(NOT_FOUND);
  });

  test.each([
    [{ RecoveryWindowInDays: 6 }, 'The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).'],
    [{ RecoveryWindowInDays: 31 }, 'The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).'],
    [
      { RecoveryWindowInDays: 7, ForceDeleteWithoutRecovery: true },
      "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.",
    ],
  ])('rejects %j', async (input, message) => {
    await run.secrets.createSecret({ Name: 's' });
    expect(await failureOf(run.secrets.deleteSecret({ SecretId: 's', ...input }))).toBe(
      `InvalidParameterException: ${message}`,
    );
    expect(await run.secrets.describeSecret({ SecretId: 's' })).not.toHaveProperty('DeletedDate');
  });
});

test('tags are set, replaced and removed', async () => {
  const { secrets } = run;
  await secrets.createSecret({ Name: 's' });
  const tags = async () => (await secrets.describeSecret({ SecretId: 's' })).Tags;
  expect(await tags()).toBeUndefined();
  await secrets.tagResource({
    SecretId: 's',
    Tags: [
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '2' },
    ],
  });
  await secrets.tagResource({ SecretId: 's', Tags: [{ Key: 'a', Value: '3' }] });
  expect(await tags()).toEqual([
    { Key: 'a', Value: '3' },
    { Key: 'b', Value: '2' },
  ]);
  await secrets.untagResource({ SecretId: 's', TagKeys: ['a', 'b', 'c'] });
  expect(await tags()).toEqual([]);
  const many = Array.from({ length: 51 }, (_, index) => ({ Key: `k${index}`, Value: '' }));
  expect(await failureOf(secrets.tagResource({ SecretId: 's', Tags: many }))).toMatch(/^LimitExceededException/);
  expect(await tags()).toEqual([]);
});

describe('ListSecrets', () => {
  beforeEach(async () => {
    const { secrets } = run;
    await secrets.createSecret({
      Name: 'prod/db',
      Description: 'The main database',
      Tags: [{ Key: 'Team', Value: 'blue' }],
    });
    await run.advance(1);
    await secrets.createSecret({
      Name: 'prod/api',
      Description: 'Keys of the API',
      Tags: [{ Key: 'Team', Value: 'red' }],
    });
    await run.advance(1);
    await secrets.createSecret({ Name: 'Test/db', SecretString: 'x' });
  });
  type Input = Parameters<SecretsTest['secrets']['listSecrets']>[0];
  const names = async (input: Input) => (await run.secrets.listSecrets(input)).SecretList!.map(({ Name }) => Name);

  test.each<[string, string[], string[]]>([
    ['name', ['prod'], ['prod/db', 'prod/api']],
    ['name', ['PROD'], []],
    ['name', ['!prod'], ['Test/db']],
    ['name', ['prod/db', 'Test'], ['prod/db', 'Test/db']],
    ['description', ['main'], ['prod/db']],
    ['description', ['the'], ['prod/db', 'prod/api']],
    ['tag-key', ['Team'], ['prod/db', 'prod/api']],
    ['tag-key', ['team'], []],
    ['tag-value', ['bl'], ['prod/db']],
    ['all', ['DATABASE'], ['prod/db']],
    ['all', ['db'], ['prod/db', 'Test/db']],
    ['description', ['database main'], ['prod/db']],
    ['description', ['the keys'], ['prod/api']],
    ['description', ['main keys'], []],
    ['all', ['mainKeys'], ['prod/db', 'prod/api']],
    ['all', ['test=892'], ['Test/db']],
    ['all', ['blueGreen'], ['prod/db']],
    ['all', ['TEAM'], ['prod/db', 'prod/api']],
    ['primary-region', ['us-'], []],
    ['owning-service', ['rds'], []],
  ])('filters by %s %j', async (Key, Values, expected) => {
    expect(await names({ Filters: [{ Key: Key as 'name', Values }] })).toEqual(expected);
  });

  test('splits names into words, finds primaries by region, and validates filters without secrets', async () => {
    const other = run.client({ region: 'eu-west-1' });
    const Filters = [{ Values: ['x'] }];
    expect(await failureOf(other.listSecrets({ Filters }))).toMatch(/^InvalidParameterException/);
    await run.secrets.createSecret({
      Name: 'credsDatabase892',
      SecretString: 'x',
      AddReplicaRegions: [{ Region: 'eu-west-1' }],
    });
    for (const word of ['database', '892', 'CREDS'])
      expect(
        await names({
          Filters: [
            { Key: 'name', Values: ['creds'] },
            { Key: 'all', Values: [word] },
          ],
        }),
      ).toEqual(['credsDatabase892']);
    const byRegion = { Filters: [{ Key: 'primary-region' as const, Values: ['us-east'] }] };
    expect(await names(byRegion)).toEqual(['credsDatabase892']);
    expect((await other.listSecrets(byRegion)).SecretList).toHaveLength(1);
  });

  test('applies every filter, in order and in pages', async () => {
    const Filters = [
      { Key: 'name' as const, Values: ['prod'] },
      { Key: 'tag-value' as const, Values: ['red'] },
    ];
    expect(await names({ Filters })).toEqual(['prod/api']);
    expect(await names({ SortOrder: 'desc' })).toEqual(['Test/db', 'prod/api', 'prod/db']);
    expect(await names({ SortBy: 'name' })).toEqual(['Test/db', 'prod/api', 'prod/db']);
    const first = await run.secrets.listSecrets({ MaxResults: 2 });
    await run.secrets.deleteSecret({ SecretId: 'prod/api', ForceDeleteWithoutRecovery: true });
    expect(await names({ MaxResults: 2, NextToken: first.NextToken })).toEqual(['Test/db']);
    // Invalid text, the former token format, and a token of another list.
    const foreign = ['nonsense', Buffer.from(JSON.stringify([2, 'x'])).toString('base64')];
    for (const NextToken of foreign)
      expect(await failureOf(run.secrets.listSecrets({ NextToken }))).toMatch(/^InvalidNextTokenException/);
    for (const NextToken of [...foreign, first.NextToken]) {
      expect(
        await failureOf(run.secrets.batchGetSecretValue({ Filters: [{ Key: 'name', Values: ['T'] }], NextToken })),
      ).toBe('InvalidNextTokenException: The NextToken value is invalid.');
      expect(await failureOf(run.secrets.listSecretVersionIds({ SecretId: 'Test/db', NextToken }))).toBe(
        'InvalidNextTokenException: The NextToken value is invalid.',
      );
    }
    expect(await failureOf(run.secrets.listSecrets({ Filters: [{ Key: 'name' }] }))).toMatch(/^InvalidParameterExc/);
  });
});

describe('GetRandomPassword', () => {
  const password = async (input: object) => (await run.secrets.getRandomPassword(input)).RandomPassword!;

  test('contains every kind of character that is not excluded', async () => {
    for (let round = 0; round < 50; round++) {
      const all = await password({ PasswordLength: 5, IncludeSpace: true });
      for (const kind of [/[a-z]/, /[A-Z]/, /\d/, /[!-/:-@[-`{-~]/, / /]) expect(all).toMatch(kind);
    }
    expect(await password({})).toHaveLength(32);
    const plain = { ExcludePunctuation: true, ExcludeNumbers: true, ExcludeUppercase: true, ExcludeCharacters: 'abc' };
    expect(await password({ PasswordLength: 4096, ...plain })).toMatch(/^[d-z]{4096}$/);
  });

  test('rejects invalid parameters', async () => {
    expect(await failureOf(password({ PasswordLength: 3 }))).toBe(
      'InvalidParameterException: The password length 3 is too short based on the required types.',
    );
    expect(await password({ PasswordLength: 3, RequireEachIncludedType: false })).toHaveLength(3);
    const nothing = { ExcludePunctuation: true, ExcludeNumbers: true, ExcludeUppercase: true, ExcludeLowercase: true };
    expect(await failureOf(password(nothing))).toMatch(/^InvalidRequestException/);
    expect(await failureOf(password({ PasswordLength: 4097 }))).toMatch(/passwordLength/);
  });
});

describe('resource policies', () => {
  const policy = (principal: unknown) =>
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: principal, Action: 'secretsmanager:GetSecretValue', Resource: '*' }],
    });
  const mine = policy({ AWS: `arn:aws:iam::${ACCOUNT}:root` });

  test('are set, returned and removed', async () => {
    const { secrets } = run;
    const { ARN } = await secrets.createSecret({ Name: 's' });
    expect(without(await secrets.getResourcePolicy({ SecretId: 's' }))).toEqual({ ARN, Name: 's' });
    await secrets.putResourcePolicy({ SecretId: 's', ResourcePolicy: mine, BlockPublicPolicy: true });
    expect((await secrets.getResourcePolicy({ SecretId: 's' })).ResourcePolicy).toBe(mine);
    await secrets.deleteResourcePolicy({ SecretId: 's' });
    expect((await secrets.getResourcePolicy({ SecretId: 's' })).ResourcePolicy).toBeUndefined();
  });

  test('are validated', async () => {
    const { secrets } = run;
    await secrets.createSecret({ Name: 's' });
    const put = (ResourcePolicy: string) =>
      failureOf(secrets.putResourcePolicy({ SecretId: 's', ResourcePolicy, BlockPublicPolicy: true }));
    for (const bad of ['{', '{}', '{"Statement":[{"Effect":"Allow"}]}', mine.replace('Allow', 'Permit')])
      expect(await put(bad)).toMatch(/^MalformedPolicyDocumentException/);
    expect(await put(policy('*'))).toMatch(/^PublicPolicyException/);
    expect((await secrets.getResourcePolicy({ SecretId: 's' })).ResourcePolicy).toBeUndefined();
    const validate = async (ResourcePolicy: string) =>
      without(await secrets.validateResourcePolicy({ ResourcePolicy }));
    expect(await validate(mine)).toEqual({ PolicyValidationPassed: true, ValidationErrors: [] });
    expect(await validate('{')).toMatchObject({ PolicyValidationPassed: false, ValidationErrors: [{}] });
    expect(await validate(policy('*'))).toMatchObject({
      PolicyValidationPassed: false,
      ValidationErrors: [{ CheckName: 'BLOCK_PUBLIC_ACCESS' }],
    });
    expect(await failureOf(secrets.validateResourcePolicy({ SecretId: 'none', ResourcePolicy: mine }))).toBe(NOT_FOUND);
  });
});
