import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectAddress } from '../src/templates/template-url.ts';
import { failureOf, type StackTest, startStacks, thing } from './support.ts';

/** Parameter Store with parameters by name. */
const PARAMETERS: Record<string, { Type: string; Value: string }> = {
  '/text': { Type: 'String', Value: 'x' },
  '/list': { Type: 'StringList', Value: 'a,b' },
  '/hush': { Type: 'SecureString', Value: 'secret' },
};
const ssm = fakeService('ssm', {
  GetParameters: ({ Names, WithDecryption }: { Names?: string[]; WithDecryption?: boolean }) => ({
    Parameters: Names!.flatMap((given) => {
      // A version may follow the name.
      const Name = given.split(':')[0]!;
      const found = PARAMETERS[Name];
      if (!found) return [];
      return { Name, ...found, ...(found.Type === 'SecureString' && !WithDecryption && { Value: 'cipher' }) };
    }),
  }),
});
const secrets = fakeService('secretsmanager', {
  GetSecretValue: ({ SecretId, VersionStage, VersionId }: Record<string, unknown>) => ({
    SecretString: JSON.stringify({
      user: `${SecretId} ${VersionStage ?? ''} ${VersionId ?? ''}`.trim(),
      nested: { a: 1 },
    }),
  }),
});
/** S3 with objects by bucket and key. */
const OBJECTS = new Map<string, string>();
const s3 = fakeService('s3', {
  GetObject: ({ Bucket, Key, VersionId }: Record<string, unknown>) => {
    const text = OBJECTS.get(`${Bucket}/${Key}${VersionId ? `@${VersionId}` : ''}`);
    if (text === undefined) throw awsError('NoSuchKey', 'The specified key does not exist.');
    return { Body: Buffer.from(text) };
  },
});

let emu: StackTest;
beforeAll(async () => {
  emu = await startStacks([ssm, secrets, s3]);
});
afterAll(() => emu[Symbol.asyncDispose]());

let count = 0;
/** Settings of the thing that a template creates. */
async function made(Settings: object, sections: object = {}, more: object = {}): Promise<unknown> {
  const name = `f${count++}`;
  const stack = await emu.create(name, { ...sections, Resources: { A: thing({ Settings }) } }, more);
  if (stack.StackStatus !== 'CREATE_COMPLETE') throw new Error((await emu.events(name)).join('\n'));
  const { StackResources } = await emu.cfn.describeStackResources({ StackName: name });
  return emu.things.get(StackResources![0]!.PhysicalResourceId!)!.properties.Settings;
}

test('combines conditions, and applies defaults of mappings', async () => {
  const condition = (value: object) => ({ 'Fn::If': [value, 'yes', 'no'] });
  const sections = {
    Mappings: { Sizes: { small: { Type: 't1', Many: ['a', 'b'] } } },
    Conditions: {
      Yes: { 'Fn::Equals': ['a', 'a'] },
      No: { 'Fn::Equals': ['a', 'b'] },
      Both: { 'Fn::And': [{ Condition: 'Yes' }, { Condition: 'No' }] },
      Either: { 'Fn::Or': [{ Condition: 'Yes' }, { Condition: 'No' }] },
      Neither: { 'Fn::Not': [{ Condition: 'Either' }] },
    },
  };
  expect(
    await made(
      {
        both: condition('Both' as never),
        either: condition('Either' as never),
        neither: condition('Neither' as never),
        type: { 'Fn::FindInMap': ['Sizes', 'small', 'Type'] },
        many: { 'Fn::Select': ['1', { 'Fn::FindInMap': ['Sizes', 'small', 'Many'] }] },
        fallback: { 'Fn::FindInMap': ['Sizes', 'large', 'Type', { DefaultValue: 't9' }] },
        zones: { 'Fn::Join': [' ', { 'Fn::GetAZs': '' }] },
        others: { 'Fn::Select': [0, { 'Fn::GetAZs': 'eu-west-1' }] },
        v6: { 'Fn::Select': [1, { 'Fn::Cidr': ['2001:db8::/48', 2] }] },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: references of the template
        sub: { 'Fn::Sub': ['${!Literal} ${A} ${AWS::Partition} ${AWS::URLSuffix}', { A: { 'Fn::Base64': 'x' } }] },
      },
      { ...sections, Transform: 'AWS::LanguageExtensions' },
    ),
  ).toEqual({
    both: 'no',
    either: 'yes',
    neither: 'no',
    type: 't1',
    many: 'b',
    fallback: 't9',
    zones: 'us-east-1a us-east-1b us-east-1c',
    others: 'eu-west-1a',
    v6: '2001:db8:0:1::/64',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what is left of it
    sub: '${Literal} eA== aws amazonaws.com',
  });
});

test('checks rules before anything is created', async () => {
  const rules = (Assert: object, RuleCondition?: object) => ({
    Parameters: { Names: { Type: 'CommaDelimitedList', Default: 'a,b' }, Stage: { Type: 'String', Default: 'test' } },
    Rules: { R: { ...(RuleCondition && { RuleCondition }), Assertions: [{ Assert, AssertDescription: 'ruled out' }] } },
    Resources: { A: thing() },
  });
  const names = { Ref: 'Names' };
  const holding = [
    { 'Fn::Contains': [names, 'b'] },
    { 'Fn::EachMemberIn': [names, ['a', 'b', 'c']] },
    { 'Fn::EachMemberEquals': [['x', 'x'], 'x'] },
    { 'Fn::And': [{ 'Fn::Contains': [names, 'a'] }, { 'Fn::Not': [{ 'Fn::Contains': [names, 'z'] }] }] },
    { 'Fn::Or': [{ 'Fn::Contains': [names, 'z'] }, { 'Fn::Equals': [{ Ref: 'Stage' }, 'test'] }] },
  ];
  for (const rule of holding) {
    const negated = JSON.stringify(rules({ 'Fn::Not': [rule] }));
    expect(await failureOf(emu.cfn.createStack({ StackName: 'ruled', TemplateBody: negated }))).toBe(
      'ValidationError: ruled out',
    );
    // Rules with a false condition assert nothing.
    const away = rules({ 'Fn::Not': [rule] }, { 'Fn::Equals': [{ Ref: 'Stage' }, 'prod'] });
    expect(await emu.create(`ruled${count++}`, away)).toMatchObject({ StackStatus: 'CREATE_COMPLETE' });
    expect(await emu.create(`ruled${count++}`, rules(rule))).toMatchObject({ StackStatus: 'CREATE_COMPLETE' });
  }
});

test('supports AWS-specific parameter types, and reads values from Parameter Store', async () => {
  const sections = {
    Parameters: {
      Text: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/text' },
      List: { Type: 'AWS::SSM::Parameter::Value<List<String>>', Default: '/list' },
      Image: { Type: 'AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>', Default: '/text' },
      Name: { Type: 'AWS::SSM::Parameter::Name', Default: '/text' },
      Subnets: { Type: 'List<AWS::EC2::Subnet::Id>', Default: 'subnet-1, subnet-2' },
      Numbers: { Type: 'List<Number>', Default: '1,2' },
    },
  };
  const last = (name: string) => ({ 'Fn::Select': [1, { Ref: name }] });
  expect(
    await made(
      {
        text: { Ref: 'Text' },
        list: last('List'),
        image: { Ref: 'Image' },
        name: { Ref: 'Name' },
        subnet: last('Subnets'),
        number: last('Numbers'),
      },
      sections,
    ),
  ).toEqual({ text: 'x', list: 'b', image: 'x', name: '/text', subnet: 'subnet-2', number: '2' });
  const refused = async (P: object, ParameterValue: string) =>
    failureOf(
      emu.cfn.createStack({
        StackName: 'refused',
        TemplateBody: JSON.stringify({ Parameters: { P }, Resources: { A: thing() } }),
        Parameters: [{ ParameterKey: 'P', ParameterValue }],
      }),
    );
  const wrong: [parameter: object, value: string, message: string][] = [
    [
      { Type: 'AWS::SSM::Parameter::Value<String>' },
      '/none',
      'Unable to fetch parameters [/none] from parameter store for this account.',
    ],
    [{ Type: 'List<Number>' }, '1,x', "Parameter 'P' must be a list of numbers."],
    [{ Type: 'String', AllowedPattern: '[a-z]+' }, 'A', "Parameter 'P' must match pattern [a-z]+"],
    [{ Type: 'String', MinLength: 2 }, 'a', "Parameter 'P' must contain at least 2 characters"],
    [{ Type: 'String', MaxLength: 2 }, 'abc', "Parameter 'P' must contain at most 2 characters"],
    [{ Type: 'Number', MinValue: 2 }, '1', "Parameter 'P' must be a number not less than 2"],
    [{ Type: 'Number', MaxValue: 2 }, '3', "Parameter 'P' must be a number not greater than 2"],
    [
      { Type: 'String', AllowedPattern: 'a', ConstraintDescription: 'say a' },
      'b',
      'Parameter P failed to satisfy constraint: say a',
    ],
    [{ Type: 'Text' }, 'b', 'Template format error: Unrecognized parameter type: Text'],
  ];
  for (const [parameter, value, message] of wrong)
    expect(await refused(parameter, value), message).toBe(`ValidationError: ${message}`);
});

test('resolves dynamic references for resources and keeps them in the template', async () => {
  const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:db-a1B2c3';
  const settings = {
    plain: '{{resolve:ssm:/text:1}}',
    secure: 'before {{resolve:ssm-secure:/hush}} after',
    key: '{{resolve:secretsmanager:db:SecretString:user}}',
    stage: '{{resolve:secretsmanager:db:SecretString:user:AWSPREVIOUS}}',
    version: `{{resolve:secretsmanager:${ARN}:SecretString:user::v1}}`,
    nested: '{{resolve:secretsmanager:db:SecretString:nested}}',
  };
  expect(await made(settings)).toEqual({
    plain: 'x',
    secure: 'before secret after',
    key: 'db',
    stage: 'db AWSPREVIOUS',
    version: `${ARN}  v1`,
    nested: '{"a":1}',
  });
  const { StackEvents } = await emu.cfn.describeStackEvents({ StackName: `f${count - 1}` });
  expect(JSON.stringify(StackEvents)).not.toContain('secret after');
  for (const [reference, reason] of [
    ['{{resolve:ssm:/none:2}}', 'Unable to fetch parameters [/none:2] from parameter store for this account.'],
    ['{{resolve:ssm:/hush}}', 'SSM Secure reference is not supported in: [/hush]'],
    [
      '{{resolve:secretsmanager:db:SecretString:none}}',
      'Could not find a value associated with JSONKey in SecretString',
    ],
    [
      '{{resolve:secretsmanager:db:SecretBinary}}',
      'Invalid dynamic reference: {{resolve:secretsmanager:db:SecretBinary}}',
    ],
  ] as const)
    await expect(made({ reference })).rejects.toThrow(reason);
});

test('supports nested transforms named by text, and secret rotation by existing functions', async () => {
  OBJECTS.set('snippets/a.yaml', 'Included: 1\n');
  const at = 's3://snippets/a.yaml';
  expect(await made({ Own: '2', 'Fn::Transform': { Name: 'AWS::Include', Parameters: { Location: at } } })).toEqual({
    Own: '2',
    Included: '1',
  });
  const TemplateBody = JSON.stringify({ Resources: { A: { ...thing(), 'Fn::Transform': 'Nowhere' } } });
  const Capabilities = ['CAPABILITY_AUTO_EXPAND' as const];
  const { StackId } = await emu.cfn.createStack({ StackName: 'nowhere', TemplateBody, Capabilities });
  await emu.settled(StackId!);
  expect(await emu.events('nowhere')).toContain(
    'nowhere ROLLBACK_IN_PROGRESS No transform named 000000000000::Nowhere found.. Rollback requested by user.',
  );
  const Transform = 'AWS::SecretsManager-2024-09-16';
  expect(await emu.create('rotating', { Transform, Resources: { A: thing() } }, { Capabilities })).toMatchObject({
    StackStatus: 'CREATE_COMPLETE',
  });
  const Properties = { SecretId: 's', HostedRotationLambda: { RotationType: 'MySQLSingleUser' } };
  const hosted = { Transform, Resources: { R: { Type: 'AWS::SecretsManager::RotationSchedule', Properties } } };
  await emu.create('hosted', hosted, { Capabilities });
  expect((await emu.events('hosted')).join('\n')).toContain(
    `Transform ${Transform} failed with: emu has no functions that rotate secrets (HostedRotationLambda of R)`,
  );
});

test('reads templates from S3 with any form of address, and long ones', async () => {
  const endpoint = 'http://127.0.0.1:4566';
  const address = { bucket: 'my.bucket', key: 'a/b c.json' };
  for (const url of [
    'https://s3.amazonaws.com/my.bucket/a/b%20c.json',
    'https://s3.us-west-2.amazonaws.com/my.bucket/a/b%20c.json',
    'https://s3-us-west-2.amazonaws.com/my.bucket/a/b+c.json',
    'https://my.bucket.s3.amazonaws.com/a/b%20c.json',
    'https://my.bucket.s3.us-west-2.amazonaws.com/a/b%20c.json',
    'https://my.bucket.s3-us-west-2.amazonaws.com/a/b%20c.json',
    'https://my.bucket.s3.dualstack.us-west-2.amazonaws.com/a/b%20c.json',
    'https://s3.cn-north-1.amazonaws.com.cn/my.bucket/a/b%20c.json',
    'http://127.0.0.1:4566/my.bucket/a/b%20c.json',
    'http://localhost:4566/my.bucket/a/b%20c.json',
    'http://my.bucket.s3.localhost:4566/a/b%20c.json',
    'http://s3.localhost.localstack.cloud:4566/my.bucket/a/b%20c.json',
    'http://my.bucket.s3.us-east-1.localhost.localstack.cloud:4566/a/b%20c.json',
  ]) {
    const expected = url.includes('b+c') ? { ...address, key: 'a/b+c.json' } : address;
    expect(objectAddress(url, endpoint), url).toEqual(expected);
    expect(objectAddress(`${url}?versionId=v`, endpoint)).toEqual({ ...expected, versionId: 'v' });
  }
  expect(() => objectAddress('https://example.com/b/k', endpoint)).toThrow('TemplateURL must be a supported URL.');
  expect(() => objectAddress('ftp://s3.amazonaws.com/b/k', endpoint)).toThrow('TemplateURL must be a supported URL.');

  const long = (Value: string) => JSON.stringify({ Resources: { A: thing({ Value }) } });
  const rest = 1_000_000 - long('').length;
  OBJECTS.set('templates/long.json', long('x'.repeat(rest)));
  OBJECTS.set('templates/longer.json', long('x'.repeat(rest + 1)));
  OBJECTS.set('templates/old.json@v1', long('old'));
  const TemplateURL = (key: string) => ({ TemplateURL: `https://templates.s3.amazonaws.com/${key}` });
  await emu.cfn.createStack({ StackName: 'long', ...TemplateURL('long.json') });
  expect(await emu.settled('long')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' });
  expect((await emu.cfn.getTemplate({ StackName: 'long' })).TemplateBody).toHaveLength(1_000_000);
  const failure = (input: object) => failureOf(emu.cfn.createStack({ StackName: 'longer', ...input }));
  expect(await failure(TemplateURL('longer.json'))).toBe(
    'ValidationError: Template may not exceed 1000000 bytes in size.',
  );
  expect(await failure({ TemplateBody: long('x'.repeat(51_200)) })).toContain(
    "at 'templateBody' failed to satisfy constraint: Member must have length less than or equal to 51200",
  );
  expect(await failure(TemplateURL('none.json'))).toContain(
    'ValidationError: S3 error: The specified key does not exist.',
  );
  await emu.cfn.createStack({ StackName: 'old', ...TemplateURL('old.json?versionId=v1') });
  expect(await emu.settled('old')).toMatchObject({ StackStatus: 'CREATE_COMPLETE' });
});
