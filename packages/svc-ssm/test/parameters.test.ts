import type { ParameterStringFilter } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arnOf, failureOf, type SsmTest, startSsm } from './support.ts';

let t: SsmTest;
beforeAll(async () => {
  t = await startSsm();
});
afterAll(() => t[Symbol.asyncDispose]());

describe('PutParameter', () => {
  test('creates a parameter and reads it by name, path and ARN', async () => {
    expect(await t.ssm.putParameter({ Name: '/app/url', Value: '123', Type: 'String' })).toMatchObject({
      Version: 1,
      Tier: 'Standard',
    });
    const expected = {
      ARN: arnOf('app/url'),
      DataType: 'text',
      Name: '/app/url',
      Type: 'String',
      Value: '123',
      Version: 1,
    };
    for (const Name of ['/app/url', arnOf('app/url')])
      expect((await t.ssm.getParameter({ Name })).Parameter).toMatchObject(expected);
    const { Parameters, InvalidParameters } = await t.ssm.getParameters({ Names: ['/app/url', '/app/missing'] });
    expect(Parameters).toMatchObject([expected]);
    expect(InvalidParameters).toEqual(['/app/missing']);
  });

  test('treats a single-level name with and without a slash as equal', async () => {
    await t.put('single', 'one');
    expect(await t.value('/single')).toBe('one');
    expect((await t.ssm.getParameter({ Name: '/single' })).Parameter!.ARN).toBe(arnOf('single'));
  });

  // As the Terraform provider observes it: https://github.com/hashicorp/terraform-provider-aws/pull/49339
  test('keeps the slash before a single-level name, except in DescribeParameters', async () => {
    const [Name, Path] = ['/alone', '/'];
    await t.put(Name, 'one');
    await t.put(Name, 'two', { Overwrite: true });
    const named = (parameters: { Name?: string }[] = []) => parameters.map((parameter) => parameter.Name);
    const one = async (asked: string) => named([(await t.ssm.getParameter({ Name: asked })).Parameter!]);
    expect([await one(Name), await one('alone'), await one(arnOf('alone'))]).toEqual([[Name], ['alone'], [Name]]);
    expect(named((await t.ssm.getParameters({ Names: [Name] })).Parameters)).toEqual([Name]);
    expect(named((await t.ssm.getParameterHistory({ Name })).Parameters)).toEqual([Name, Name]);
    expect(named((await t.ssm.getParametersByPath({ Path })).Parameters)).toContain(Name);
    const ParameterFilters = [{ Key: 'Name', Values: [Name] }];
    expect(named((await t.ssm.describeParameters({ ParameterFilters })).Parameters)).toEqual(['alone']);
  });

  test('overwrites only on request and keeps missing members', async () => {
    await t.put('kept', 'a', { Description: 'first', AllowedPattern: '^[a-z]+$' });
    expect(await failureOf(t.put('kept', 'b'))).toBe(
      'ParameterAlreadyExists: The parameter already exists. To overwrite this value, set the overwrite option in the request to true.',
    );
    const { Version } = await t.ssm.putParameter({ Name: 'kept', Value: 'b', Overwrite: true });
    expect(Version).toBe(2);
    const ParameterFilters = [{ Key: 'Name', Values: ['kept'] }];
    expect((await t.ssm.describeParameters({ ParameterFilters })).Parameters).toMatchObject([
      { Name: 'kept', Type: 'String', Description: 'first', AllowedPattern: '^[a-z]+$', Version: 2 },
    ]);
    expect(await failureOf(t.put('kept', '7', { Overwrite: true }))).toBe(
      'ParameterPatternMismatchException: Parameter value, cannot be validated against allowedPattern: ^[a-z]+$',
    );
    const Tags = [{ Key: 'a', Value: 'b' }];
    expect(await failureOf(t.put('kept', 'c', { Overwrite: true, Tags }))).toMatch(
      /^ValidationException: Invalid request: tags and overwrite can't be used together\./,
    );
  });

  test.each([
    ['a/b', 'ValidationException: Parameter name must be a fully qualified name.'],
    ['awsome', 'ValidationException: Parameter name: can\'t be prefixed with "aws" or "ssm" (case-insensitive).'],
    ['/ssm', 'ValidationException: Parameter name: can\'t be prefixed with "aws" or "ssm" (case-insensitive).'],
    ['/aws/service/x', 'AccessDeniedException: No access to reserved parameter name: /aws/service/x.'],
    ['/ssm/x', /^ValidationException: Parameter name: can't be prefixed with "ssm" \(case-insensitive\)\. If formed/],
    ['/a//b', /^ValidationException: Parameter name/],
    ['/a/b/', /^ValidationException: Parameter name/],
    ['a b', /^ValidationException: Parameter name/],
    [`/${'a/'.repeat(15)}b`, /^HierarchyLevelLimitExceededException/],
  ])('rejects the name %s', async (name, failure) => {
    const said = await failureOf(t.put(name));
    if (typeof failure === 'string') expect(said).toBe(failure);
    else expect(said).toMatch(failure);
  });

  test('validates type, data type, pattern and value', async () => {
    expect(await failureOf(t.ssm.putParameter({ Name: 'untyped', Value: 'x' }))).toBe(
      'ValidationException: A parameter type is required when you create a parameter.',
    );
    expect(await failureOf(t.put('empty', ''))).toMatch(/^ValidationException: 1 validation error detected: Value ''/);
    expect(await failureOf(t.put('typed', 'x', { DataType: 'Text' }))).toBe(
      'ValidationException: The following data type is not supported: Text (Data type names are all lowercase.)',
    );
    expect(await failureOf(t.put('image', 'x', { DataType: 'aws:ec2:image' }))).toMatch(/^ValidationException/);
    await t.put('image', 'ami-0123456789abcdef0', { DataType: 'aws:ec2:image' });
    expect(await failureOf(t.put('hook', 'x', { DataType: 'aws:ssm:integration' }))).toMatch(/^ValidationException/);
    expect(await failureOf(t.put('pattern', 'x', { AllowedPattern: '(' }))).toMatch(/^InvalidAllowedPatternException/);
    expect(await failureOf(t.put('keyed', 'x', { KeyId: 'alias/k' }))).toBe(
      'ValidationException: KeyId is only valid for parameters of type SecureString.',
    );
    await t.put('/typed/one');
    expect(await failureOf(t.put('/typed/one', 'a,b', { Type: 'StringList', Overwrite: true }))).toBe(
      "HierarchyTypeMismatchException: Parameter Store doesn't support changing a parameter type in a hierarchy.",
    );
  });

  test('limits the length of a value by tier', async () => {
    const tier = async (Name: string, length: number, more: object = {}) =>
      (await t.ssm.putParameter({ Name, Value: 'x'.repeat(length), Type: 'String', ...more })).Tier;
    expect(await tier('long', 4096)).toBe('Standard');
    expect(await failureOf(tier('longer', 4097))).toMatch(
      /^ValidationException: Standard tier parameters support a maximum parameter value of 4096 characters\./,
    );
    expect(await tier('longer', 4097, { Tier: 'Advanced' })).toBe('Advanced');
    expect(await failureOf(tier('longer', 8193, { Overwrite: true }))).toMatch(/maximum parameter value of 8192/);
    expect(await failureOf(tier('longer', 1, { Tier: 'Standard', Overwrite: true }))).toMatch(
      /^ValidationException: This parameter uses the advanced-parameter tier\./,
    );
    expect(await tier('either', 10, { Tier: 'Intelligent-Tiering' })).toBe('Standard');
    expect(await tier('either', 5000, { Tier: 'Intelligent-Tiering', Overwrite: true })).toBe('Advanced');
    const SettingId = '/ssm/parameter-store/default-parameter-tier';
    await t.ssm.updateServiceSetting({ SettingId, SettingValue: 'Advanced' });
    expect((await t.ssm.getServiceSetting({ SettingId })).ServiceSetting).toMatchObject({
      SettingValue: 'Advanced',
      Status: 'Customized',
    });
    expect(await tier('defaulted', 1)).toBe('Advanced');
    expect((await t.ssm.resetServiceSetting({ SettingId })).ServiceSetting).toMatchObject({ SettingValue: 'Standard' });
    expect(await tier('defaulted-again', 1)).toBe('Standard');
    expect(await failureOf(t.ssm.updateServiceSetting({ SettingId, SettingValue: 'x' }))).toMatch(
      /^ValidationException/,
    );
    const inert = '/ssm/managed-instance/activation-tier';
    expect((await t.ssm.getServiceSetting({ SettingId: inert })).ServiceSetting).toMatchObject({
      SettingValue: 'standard',
      Status: 'Default',
    });
    expect(await failureOf(t.ssm.updateServiceSetting({ SettingId: inert, SettingValue: 'advanced' }))).toMatch(
      /^NotImplemented/,
    );
    expect(await failureOf(t.ssm.getServiceSetting({ SettingId: '/ssm/unknown' }))).toBe(
      'ServiceSettingNotFound: Setting /ssm/unknown not found. Please verify service setting name.',
    );
  });
});

describe('manages versions and labels', () => {
  test('reads older versions by number and label', async () => {
    await t.put('many', 'one');
    await t.put('many', 'two', { Overwrite: true });
    await t.put('many', 'three', { Overwrite: true });
    expect(await t.value('many:1')).toBe('one');
    const label = (ParameterVersion: number | undefined, ...Labels: string[]) =>
      t.ssm.labelParameterVersion({ Name: 'many', ParameterVersion, Labels });
    expect(await label(2, 'live', 'Prod-1')).toMatchObject({ InvalidLabels: [], ParameterVersion: 2 });
    expect((await t.ssm.getParameter({ Name: 'many:live' })).Parameter).toMatchObject({
      Value: 'two',
      Version: 2,
      Selector: ':live',
    });
    expect((await label(undefined, 'live')).ParameterVersion).toBe(3);
    expect(await t.value('many:live')).toBe('three');
    expect((await label(1, '1st', 'awsome', 'ssm', 'a b')).InvalidLabels).toEqual(['1st', 'awsome', 'ssm', 'a b']);
    const ten = Array.from({ length: 10 }, (_, index) => `l${index}`);
    expect(await failureOf(label(3, ...ten))).toMatch(/^ParameterVersionLabelLimitExceeded: .*maximum 10 labels/);
    expect(await failureOf(label(9, 'x'))).toBe(
      'ParameterVersionNotFound: Systems Manager could not find version 9 of many. Verify the version and try again.',
    );
    expect(
      await t.ssm.unlabelParameterVersion({ Name: 'many', ParameterVersion: 3, Labels: ['live', 'absent'] }),
    ).toMatchObject({ RemovedLabels: ['live'], InvalidLabels: ['absent'] });
    expect(await failureOf(t.value('many:live'))).toBe(
      'ParameterVersionNotFound: Systems Manager could not find version live of many. Verify the version and try again.',
    );
    const first = await t.ssm.getParameterHistory({ Name: 'many', MaxResults: 2 });
    expect(first.Parameters!.map(({ Version, Value, Labels }) => [Version, Value, Labels])).toEqual([
      [1, 'one', []],
      [2, 'two', ['Prod-1']],
    ]);
    const { NextToken } = first;
    const rest = await t.ssm.getParameterHistory({ Name: 'many', MaxResults: 2, NextToken });
    expect(rest.Parameters).toMatchObject([{ Version: 3, LastModifiedUser: expect.stringContaining('arn:aws:iam::') }]);
    expect(await failureOf(t.ssm.getParameterHistory({ Name: 'many', NextToken: 'x' }))).toBe(
      'InvalidNextToken: The specified token is not valid.',
    );
  });

  test('keeps a hundred versions unless the oldest has a label', async () => {
    for (let count = 0; count < 101; count++) await t.put('old', String(count), { Overwrite: true });
    expect(await failureOf(t.value('old:1'))).toMatch(/^ParameterVersionNotFound/);
    expect(await t.value('old:2')).toBe('1');
    await t.ssm.labelParameterVersion({ Name: 'old', ParameterVersion: 2, Labels: ['keep'] });
    expect(await failureOf(t.put('old', 'x', { Overwrite: true }))).toMatch(
      /^ParameterMaxVersionLimitExceeded: You attempted to create a new version of old by calling the PutParameter API with the overwrite flag\. Version 2,/,
    );
  });

  test('restarts at version 1 after a deletion', async () => {
    await t.put('twice', 'a');
    await t.put('twice', 'b', { Overwrite: true });
    await t.ssm.deleteParameter({ Name: 'twice' });
    expect(await failureOf(t.value('twice'))).toMatch(/^ParameterNotFound/);
    expect(await t.put('twice', 'c')).toBe(1);
    expect(await failureOf(t.ssm.deleteParameter({ Name: 'missing' }))).toMatch(/^ParameterNotFound/);
    const { DeletedParameters, InvalidParameters } = await t.ssm.deleteParameters({ Names: ['twice', 'missing'] });
    expect([DeletedParameters, InvalidParameters]).toEqual([['twice'], ['missing']]);
  });
});

describe('listing', () => {
  let own: SsmTest;
  beforeAll(async () => {
    own = await startSsm();
    for (const name of ['/a/b', '/a/b/c', '/a/b/c/d', '/a/e', '/ab', 'plain'])
      await own.put(name, name, { Tags: [{ Key: 'top', Value: name.slice(1, 2) }] });
    await own.put('/a/list', 'x,y', { Type: 'StringList', Tier: 'Advanced' });
  });
  afterAll(() => own[Symbol.asyncDispose]());

  const byPath = async (Path: string, more: object = {}) =>
    (await own.ssm.getParametersByPath({ Path, ...more })).Parameters!.map(({ Name }) => Name);

  test('reads by path, one level or recursively', async () => {
    expect(await byPath('/a')).toEqual(['/a/b', '/a/e', '/a/list']);
    expect(await byPath('/a/', { Recursive: true })).toEqual(['/a/b', '/a/b/c', '/a/b/c/d', '/a/e', '/a/list']);
    expect(await byPath('/a/b')).toEqual(['/a/b/c']);
    expect(await byPath('/')).toEqual(['/ab', 'plain']);
    expect(await byPath('/a', { ParameterFilters: [{ Key: 'Type', Values: ['StringList'] }] })).toEqual(['/a/list']);
    expect(await failureOf(byPath('a'))).toMatch(/^ValidationException: The parameter doesn't meet the parameter name/);
    expect(await failureOf(byPath('/a', { MaxResults: 11 }))).toBe(
      "ValidationException: 1 validation error detected: Value '11' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to 10",
    );
  });

  test('reads by path in pages', async () => {
    const seen: string[] = [];
    let NextToken: string | undefined;
    do {
      const page = await own.ssm.getParametersByPath({ Path: '/', Recursive: true, MaxResults: 3, NextToken });
      seen.push(...page.Parameters!.map(({ Name }) => Name!));
      ({ NextToken } = page);
    } while (NextToken);
    expect(seen).toEqual(['/a/b', '/a/b/c', '/a/b/c/d', '/a/e', '/a/list', '/ab', 'plain']);
    expect(await failureOf(byPath('/', { NextToken: 'x' }))).toMatch(/^InvalidNextToken/);
  });

  test('reads by path and label', async () => {
    await own.ssm.labelParameterVersion({ Name: '/a/e', Labels: ['live'] });
    expect(await byPath('/a', { ParameterFilters: [{ Key: 'Label', Values: ['live'] }] })).toEqual(['/a/e']);
  });

  const described = async (...ParameterFilters: { Key: string; Option?: string; Values?: string[] }[]) =>
    (await own.ssm.describeParameters({ ParameterFilters })).Parameters!.map(({ Name }) => Name);

  test('filters by every kind of filter', async () => {
    expect(await described({ Key: 'Name', Option: 'BeginsWith', Values: ['/a/b/c'] })).toEqual(['/a/b/c', '/a/b/c/d']);
    expect(await described({ Key: 'Name', Option: 'Contains', Values: ['lai'] })).toEqual(['plain']);
    expect(await described({ Key: 'Path', Option: 'Recursive', Values: ['/a/b'] })).toEqual(['/a/b/c', '/a/b/c/d']);
    expect(await described({ Key: 'Path', Values: ['/a/b'] })).toEqual(['/a/b/c']);
    expect(await described({ Key: 'Tier', Values: ['Advanced'] })).toEqual(['/a/list']);
    expect(await described({ Key: 'DataType', Values: ['aws:ec2:image'] })).toEqual([]);
    expect(await described({ Key: 'tag:top', Values: ['l'] })).toEqual(['plain']);
    expect(await described({ Key: 'tag:top' }, { Key: 'Name', Values: ['ab'] })).toEqual(['ab']);
    expect(await failureOf(described({ Key: 'Label', Values: ['x'] }))).toBe(
      'InvalidFilterKey: The following filter key is not valid: Label. Valid filter keys include: [Path, Name, Type, KeyId, Tier, DataType, tag:].',
    );
    expect(await failureOf(described({ Key: 'Type', Option: 'Contains', Values: ['x'] }))).toBe(
      'InvalidFilterOption: The following filter option is not valid: Contains. Valid options include: [BeginsWith, Equals].',
    );
    expect(await failureOf(described({ Key: 'Name' }))).toBe(
      'InvalidFilterValue: The following filter values are missing : null for filter key Name.',
    );
    const twice = { Key: 'Name', Values: ['a'] };
    expect(await failureOf(described(twice, twice))).toMatch(/^InvalidFilterKey: The following filter is duplicated/);
    // https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ParameterStringFilter.html
    const begins = async (Key: string, value: string) => described({ Key, Option: 'BeginsWith', Values: [value] });
    expect(await begins('Tier', 'Adv')).toEqual(['/a/list']);
    expect(await begins('Type', 'StringL')).toEqual(['/a/list']);
    expect(await begins('DataType', 'aws:')).toEqual([]);
    expect(await begins('tag:top', 'l')).toEqual(['plain']);
    expect(
      await byPath('/a', { ParameterFilters: [{ Key: 'Type', Option: 'BeginsWith', Values: ['StringL'] }] }),
    ).toEqual(['/a/list']);
    const older = await own.ssm.describeParameters({ Filters: [{ Key: 'Name', Values: ['/a/b/c'] }], MaxResults: 1 });
    expect(older.Parameters!.map(({ Name }) => Name)).toEqual(['/a/b/c']);
    expect(older.NextToken).toBeDefined();
  });
});

// The answers of AWS in https://github.com/getmoto/moto/blob/master/tests/test_ssm/test_ssm_boto3.py
test.each<[ParameterStringFilter, string]>([
  [
    { Key: 'Type', Values: ['String', 'test'] },
    'InvalidFilterOption: The following filter value is not valid: test. Valid values include: [String, StringList, SecureString].',
  ],
  [
    { Key: 'Tier', Values: ['test'] },
    'InvalidFilterOption: The following filter value is not valid: test. Valid values include: [Standard, Advanced, Intelligent-Tiering].',
  ],
  [
    { Key: 'Path', Option: 'Equals', Values: ['/a'] },
    'InvalidFilterOption: The following filter option is not valid: Equals. Valid options include: [Recursive, OneLevel].',
  ],
  [
    { Key: 'Path', Values: ['/AWS/test'] },
    'ValidationException: Filters for common parameters can\'t be prefixed with "aws" or "ssm" (case-insensitive). When using global parameters, please specify within a global namespace.',
  ],
  ...['test', '/a//b', '/#'].map((path): [ParameterStringFilter, string] => [
    { Key: 'Path', Values: [path] },
    'ValidationException: The parameter doesn\'t meet the parameter name requirements. The parameter name must begin with a forward slash "/". It can\'t be prefixed with "aws" or "ssm" (case-insensitive). It must use only letters, numbers, or the following symbols: . (period), - (hyphen), _ (underscore). Special characters are not allowed. All sub-paths, if specified, must use the forward slash symbol "/". Valid example: /get/parameters2-/by1./path0_.',
  ]),
])('rejects the filter %j', async (filter, failure) => {
  expect(await failureOf(t.ssm.describeParameters({ ParameterFilters: [filter] }))).toBe(failure);
});

test('adds, replaces and removes tags', async () => {
  await t.put('tagged', 'x', { Tags: [{ Key: 'a', Value: '1' }] });
  const of = { ResourceType: 'Parameter' as const, ResourceId: 'tagged' };
  await t.ssm.addTagsToResource({
    ...of,
    Tags: [
      { Key: 'a', Value: '2' },
      { Key: 'b', Value: '3' },
    ],
  });
  await t.ssm.removeTagsFromResource({ ...of, TagKeys: ['b', 'absent'] });
  expect((await t.ssm.listTagsForResource(of)).TagList).toEqual([{ Key: 'a', Value: '2' }]);
  const many = Array.from({ length: 50 }, (_, index) => ({ Key: `k${index}`, Value: '' }));
  expect(await failureOf(t.ssm.addTagsToResource({ ...of, Tags: many }))).toMatch(/^TooManyTagsError/);
  expect(await failureOf(t.ssm.addTagsToResource({ ...of, Tags: [{ Key: 'aws:x', Value: '' }] }))).toMatch(
    /^ValidationException/,
  );
  expect(await failureOf(t.ssm.listTagsForResource({ ...of, ResourceId: 'missing' }))).toBe(
    'InvalidResourceId: The resource ID "missing" is not valid. Verify the ID and try again.',
  );
  expect(await failureOf(t.ssm.listTagsForResource({ ...of, ResourceType: 'Document' }))).toMatch(/^InvalidResourceId/);
});

test('has public parameters with stable image ids per region', async () => {
  const Name = '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64';
  const { Parameter } = await t.ssm.getParameter({ Name });
  expect(Parameter).toMatchObject({
    Name,
    // moto's copies of AWS's parameters have this type for Amazon's images; those of Canonical are listed as
    // aws:ec2:image in https://documentation.ubuntu.com/aws/aws-how-to/instances/find-ubuntu-images/.
    DataType: 'text',
    LastModifiedDate: new Date('2025-01-01T00:00:00Z'),
    Value: expect.stringMatching(/^ami-0e0[0-9a-f]{14}$/),
  });
  const ubuntu = '/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id';
  expect((await t.ssm.getParameter({ Name: ubuntu })).Parameter!.DataType).toBe('aws:ec2:image');
  expect(await t.value(Name)).toBe(Parameter!.Value);
  const elsewhere = await t.client({ region: 'eu-west-1' }).getParameter({ Name });
  expect(elsewhere.Parameter!.Value).not.toBe(Parameter!.Value);
  expect(await failureOf(t.value('/aws/service/unknown'))).toMatch(/^ParameterNotFound/);
});

// https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-public-parameters-global-infrastructure.html
describe("AWS's global infrastructure", () => {
  const root = '/aws/service/global-infrastructure';
  const all = async (path: string, Recursive = false) => {
    const found: { Name?: string | undefined; Value?: string | undefined }[] = [];
    let NextToken: string | undefined;
    do {
      const page = await t.ssm.getParametersByPath({ Path: `${root}/${path}`, Recursive, NextToken });
      found.push(...page.Parameters!);
      ({ NextToken } = page);
    } while (NextToken);
    return found.map(({ Name, Value }) => `${Name!.slice(root.length + 1)}=${Value}`);
  };

  test('has the regions of all partitions', async () => {
    const regions = await all('regions');
    expect(regions).toHaveLength(39);
    expect(regions).toEqual([...regions].sort());
    expect(regions).toEqual(expect.arrayContaining(['regions/us-east-1=us-east-1', 'regions/cn-north-1=cn-north-1']));
    expect(await all('regions/eu-west-1')).toEqual([
      'regions/eu-west-1/domain=amazonaws.com',
      'regions/eu-west-1/geolocationCountry=IE',
      'regions/eu-west-1/geolocationRegion=IE-D',
      'regions/eu-west-1/longName=Europe (Ireland)',
      'regions/eu-west-1/partition=aws',
    ]);
    expect(await all('regions/us-east-1/availability-zones')).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => `regions/us-east-1/availability-zones/use1-az${n}=use1-az${n}`),
    );
  });

  test('has services with their regions and endpoints', async () => {
    const services = await all('services');
    expect(services.length).toBeGreaterThan(390);
    expect(services).toEqual(
      expect.arrayContaining(['services/accessanalyzer=accessanalyzer', 'services/acm-pca=acm-pca']),
    );
    expect(await all('services/ssm/regions')).toContain('services/ssm/regions/ap-southeast-3=ap-southeast-3');
    expect(await t.value(`${root}/regions/us-east-2/services/ssm/endpoint`)).toBe('ssm.us-east-2.amazonaws.com');
    expect(await t.value(`${root}/services/ssm/regions/cn-north-1/endpoint`)).toBe('ssm.cn-north-1.amazonaws.com.cn');
    expect(await t.value(`${root}/services/lambda/longName`)).toBe('AWS Lambda');
    expect(await failureOf(t.value(`${root}/services/unknown`))).toMatch(/^ParameterNotFound/);
  });

  test('is listed recursively in pages, parents first, and has zones', async () => {
    const ofRegion = await all('regions/ap-southeast-7', true);
    expect(new Set(ofRegion).size).toBe(ofRegion.length);
    expect(ofRegion.slice(0, 2)).toEqual([
      'regions/ap-southeast-7/availability-zones/apse7-az1=apse7-az1',
      'regions/ap-southeast-7/availability-zones/apse7-az2=apse7-az2',
    ]);
    expect(ofRegion).toContain('regions/ap-southeast-7/services/s3=s3');
    expect(await all('wavelength-zones')).toContain('wavelength-zones/use1-wl1-bos-wlz1=use1-wl1-bos-wlz1');
    expect(await all('local-zones')).toContain('local-zones/use1-bos1-az1=use1-bos1-az1');
  });
});

// https://github.com/localstack/localstack/issues/7712 has the first answer of AWS.
test.each(['{test}-test', 'My App Name', '//double', 'no/slash'])(
  'rejects reading the invalid name %j',
  async (Name) => {
    const requirements =
      'ValidationException: Parameter name: can\'t be prefixed with "ssm" (case-insensitive). If formed as a path, it can consist of sub-paths divided by slash symbol; each sub-path can be formed as a mix of letters, numbers and the following 3 symbols .-_';
    expect(await failureOf(t.ssm.getParameter({ Name }))).toBe(requirements);
    expect(await failureOf(t.ssm.getParameters({ Names: ['fine', Name] }))).toBe(requirements);
    expect(await failureOf(t.ssm.getParameterHistory({ Name }))).toBe(requirements);
  },
);

test.each(['a:1:2', 'a:'])('rejects reading %j, which has no valid selector', async (Name) => {
  expect(await failureOf(t.ssm.getParameter({ Name }))).toBe(
    'ValidationException: Invalid parameter name. Please use correct syntax for referencing a version/label  <name>:<version/label>',
  );
});
