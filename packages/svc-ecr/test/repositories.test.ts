import { ECR } from '@aws-sdk/client-ecr';
import { createTestEmulator, enforceQuota, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';

let emulator: TestEmulator;
let ecr: ECR;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [manifest] });
  ecr = new ECR(emulator.clientConfig());
});
afterAll(() => emulator[Symbol.asyncDispose]());

const ACCOUNT = '123456789012';
const arnOf = (name: string) => `arn:aws:ecr:us-east-1:${ACCOUNT}:repository/${name}`;
const failure = async (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'no error',
    (error: Error) => `${error.name}: ${error.message}`,
  );

const POLICY = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Sid: 'pull', Effect: 'Allow', Principal: '*', Action: 'ecr:BatchGetImage' }],
});
const LIFECYCLE = JSON.stringify({
  rules: [
    {
      rulePriority: 1,
      description: 'few untagged images',
      selection: { tagStatus: 'untagged', countType: 'imageCountMoreThan', countNumber: 3 },
      action: { type: 'expire' },
    },
  ],
});

test('repositories are created, described, updated and deleted', async () => {
  const { repository } = await ecr.createRepository({ repositoryName: 'team/app' });
  expect(repository).toEqual({
    repositoryArn: arnOf('team/app'),
    registryId: ACCOUNT,
    repositoryName: 'team/app',
    repositoryUri: `${ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com/team/app`,
    createdAt: expect.any(Date),
    imageTagMutability: 'MUTABLE',
    imageScanningConfiguration: { scanOnPush: false },
    encryptionConfiguration: { encryptionType: 'AES256' },
  });
  await ecr.putImageTagMutability({ repositoryName: 'team/app', imageTagMutability: 'IMMUTABLE' });
  await ecr.putImageScanningConfiguration({
    repositoryName: 'team/app',
    imageScanningConfiguration: { scanOnPush: true },
  });
  expect((await ecr.describeRepositories({ repositoryNames: ['team/app'] })).repositories).toMatchObject([
    { imageTagMutability: 'IMMUTABLE', imageScanningConfiguration: { scanOnPush: true } },
  ]);
  expect(await failure(ecr.createRepository({ repositoryName: 'team/app' }))).toBe(
    `RepositoryAlreadyExistsException: The repository with name 'team/app' already exists in the registry with id '${ACCOUNT}'`,
  );
  expect(await emulator.control('GET', '/_emulator/ecr/repositories')).toEqual({
    status: 200,
    json: {
      repositories: [
        {
          accountId: ACCOUNT,
          region: 'us-east-1',
          repositoryName: 'team/app',
          repositoryArn: arnOf('team/app'),
          repositoryUri: `${ACCOUNT}.dkr.ecr.us-east-1.amazonaws.com/team/app`,
          imageTagMutability: 'IMMUTABLE',
          imageCount: 0,
          createdAt: expect.stringMatching(/^\d{4}-/),
        },
      ],
    },
  });
  // Repositories contain no images yet.
  for (const list of ['images', 'pull-through-rules'])
    expect(await emulator.control('GET', `/_emulator/ecr/${list}`)).toMatchObject({ status: 501 });
  await ecr.deleteRepository({ repositoryName: 'team/app', force: true });
  expect(await failure(ecr.describeRepositories({ repositoryNames: ['team/app'] }))).toBe(
    `RepositoryNotFoundException: The repository with name 'team/app' does not exist in the registry with id '${ACCOUNT}'`,
  );
  expect(await failure(ecr.deleteRepository({ repositoryName: 'team/app' }))).toContain('RepositoryNotFoundException');
});

test('lists are in pages, ordered by name', async () => {
  for (const repositoryName of ['zz', 'aa', 'mm']) await ecr.createRepository({ repositoryName });
  const first = await ecr.describeRepositories({ maxResults: 2 });
  expect(first.repositories?.map((one) => one.repositoryName)).toEqual(['aa', 'mm']);
  const second = await ecr.describeRepositories({ maxResults: 2, nextToken: first.nextToken! });
  expect(second.repositories?.map((one) => one.repositoryName)).toEqual(['zz']);
  expect(await failure(ecr.describeRepositories({ repositoryNames: ['aa'], maxResults: 2 }))).toContain(
    'InvalidParameterException',
  );
  expect(await failure(ecr.describeRepositories({ registryId: '111122223333' }))).toContain('NotImplemented');
});

test('exclusion filters require a mutability setting with exclusions', async () => {
  const filters = [{ filterType: 'WILDCARD' as const, filter: 'dev-*' }];
  await ecr.createRepository({ repositoryName: 'excluding' });
  const change = { repositoryName: 'excluding', imageTagMutabilityExclusionFilters: filters };
  expect(await failure(ecr.putImageTagMutability({ ...change, imageTagMutability: 'IMMUTABLE' }))).toContain(
    'InvalidParameterException',
  );
  await ecr.putImageTagMutability({ ...change, imageTagMutability: 'IMMUTABLE_WITH_EXCLUSION' });
  expect((await ecr.describeRepositories({ repositoryNames: ['excluding'] })).repositories).toMatchObject([
    { imageTagMutability: 'IMMUTABLE_WITH_EXCLUSION', imageTagMutabilityExclusionFilters: filters },
  ]);
});

test('policies of repositories', async () => {
  const repositoryName = 'shared';
  await ecr.createRepository({ repositoryName });
  const none = `RepositoryPolicyNotFoundException: Repository policy does not exist for the repository with name 'shared' in the registry with id '${ACCOUNT}'`;
  expect(await failure(ecr.getRepositoryPolicy({ repositoryName }))).toBe(none);
  await ecr.setRepositoryPolicy({ repositoryName, policyText: POLICY });
  expect((await ecr.getRepositoryPolicy({ repositoryName })).policyText).toBe(POLICY);
  for (const policyText of ['{', '{}', POLICY.replace('"Action"', '"Resource":"*","Action"')])
    expect(await failure(ecr.setRepositoryPolicy({ repositoryName, policyText }))).toBe(
      "InvalidParameterException: Invalid parameter at 'PolicyText' failed to satisfy constraint: 'Invalid repository policy provided'",
    );
  expect((await ecr.deleteRepositoryPolicy({ repositoryName })).policyText).toBe(POLICY);
  expect(await failure(ecr.deleteRepositoryPolicy({ repositoryName }))).toBe(none);
});

test('lifecycle policies', async () => {
  const repositoryName = 'cleaned';
  await ecr.createRepository({ repositoryName });
  const none = `LifecyclePolicyNotFoundException: Lifecycle policy does not exist for the repository with name 'cleaned' in the registry with id '${ACCOUNT}'`;
  expect(await failure(ecr.getLifecyclePolicy({ repositoryName }))).toBe(none);
  await ecr.putLifecyclePolicy({ repositoryName, lifecyclePolicyText: LIFECYCLE });
  expect(await ecr.getLifecyclePolicy({ repositoryName })).toMatchObject({
    lifecyclePolicyText: LIFECYCLE,
    lastEvaluatedAt: expect.any(Date),
  });
  const pad = ' '.repeat(100);
  for (const text of ['{', '[]', '{"rules":[]}', '{"rules":[1]}', '{"rules":[{}]}', '{"rules":[{"rulePriority":1}]}'])
    expect(await failure(ecr.putLifecyclePolicy({ repositoryName, lifecyclePolicyText: text + pad }))).toContain(
      'Lifecycle policy validation failure',
    );
  await ecr.deleteLifecyclePolicy({ repositoryName });
  expect(await failure(ecr.deleteLifecyclePolicy({ repositoryName }))).toBe(none);
});

test('tags', async () => {
  await ecr.createRepository({ repositoryName: 'tagged', tags: [{ Key: 'a', Value: '1' }] });
  const resourceArn = arnOf('tagged');
  await ecr.tagResource({ resourceArn, tags: [{ Key: 'b', Value: '2' }] });
  await ecr.untagResource({ resourceArn, tagKeys: ['a'] });
  expect((await ecr.listTagsForResource({ resourceArn })).tags).toEqual([{ Key: 'b', Value: '2' }]);
  expect(await failure(ecr.listTagsForResource({ resourceArn: 'arn:aws:sqs:us-east-1:123456789012:q' }))).toContain(
    'InvalidParameterException',
  );
  expect(await failure(ecr.tagResource({ resourceArn: arnOf('nowhere'), tags: [] }))).toContain(
    'RepositoryNotFoundException',
  );
  const reserved = [{ Key: 'aws:a', Value: '1' }];
  expect(await failure(ecr.tagResource({ resourceArn, tags: reserved }))).toContain('InvalidTagParameterException');
});

test('rejects unknown keys', async () => {
  const encryptionConfiguration = { encryptionType: 'AES256' as const, kmsKey: 'alias/none' };
  expect(await failure(ecr.createRepository({ repositoryName: 'sealed', encryptionConfiguration }))).toContain(
    'InvalidParameterException',
  );
});

test('repositories have a quota', async () => {
  const { repositories } = await ecr.describeRepositories({});
  await enforceQuota(emulator, 'ecr/L-CFEB8E8D', repositories!.length + 1);
  await ecr.createRepository({ repositoryName: 'last' });
  expect(await failure(ecr.createRepository({ repositoryName: 'more' }))).toBe(
    `LimitExceededException: The registry has reached its limit of ${repositories!.length + 1} repositories.`,
  );
  await ecr.deleteRepository({ repositoryName: 'last' });
  await ecr.createRepository({ repositoryName: 'more' });
});
