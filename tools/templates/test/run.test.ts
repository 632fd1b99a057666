import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dummyOf } from '../src/parameters.ts';
import { causesIn, reportOf, staleCauses } from '../src/report.ts';
import { Harness } from '../src/run.ts';
import { readTemplates } from '../src/templates.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await Harness.open();
});
afterAll(() => harness[Symbol.asyncDispose]());

const run = (template: object | string, name = 'template.json') =>
  harness.run({ name, text: typeof template === 'string' ? template : JSON.stringify(template) });

test('a SAM template without its transform, with packages, definitions, nested stacks and parameters passes all steps', async () => {
  const outcome = await run(
    `Parameters:
  Stage: { Type: String, AllowedPattern: '[A-Z][a-z]+-[0-9]+' }
  Stored: { Type: 'AWS::SSM::Parameter::Value<String>' }
Resources:
  Hello:
    Type: AWS::Serverless::Function
    Properties:
      Handler: src/hello.handler
      Runtime: nodejs12.x
      CodeUri: { Bucket: my-packages, Key: hello.zip, Version: abc }
      Description: !Ref Stage
  Machine:
    Type: AWS::Serverless::StateMachine
    Properties: { DefinitionUri: 's3://my-definitions/machine.json' }
  Nested:
    Type: AWS::CloudFormation::Stack
    Properties:
      TemplateURL: https://s3.us-east-1.amazonaws.com/my-templates/nested.yaml
      Parameters: { Name: !Ref Stored }
`,
    'template.yaml',
  );
  expect(outcome).toEqual({ name: 'template.yaml', failed: undefined, causes: [] });
});

test('reports types that emu lacks, and runs the rest with placeholders', async () => {
  const outcome = await run({
    Resources: { Zone: { Type: 'AWS::Route53::HostedZone' }, Queue: { Type: 'AWS::SQS::Queue' } },
  });
  expect(outcome).toMatchObject({ failed: undefined, causes: ['emu lacks the type AWS::Route53::HostedZone'] });
});

test('a type that AWS does not know is not one that emu lacks', async () => {
  const Resources = { Queue: { Type: 'AWS::SQS::Queueue' }, Zone: { Type: 'AWS::Route53::HostedZone' } };
  expect(await run({ Resources })).toMatchObject({
    failed: 'change set',
    causes: [
      'Template format error: Unrecognized resource types: [AWS::SQS::Queueue]',
      'emu lacks the type AWS::Route53::HostedZone',
    ],
  });
});

test('reports the step and the cause of a failure', async () => {
  const queue = { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: 10_000 } };
  expect(await run({ Resources: { Queue: queue } })).toMatchObject({
    failed: 'create',
    causes: [expect.stringMatching(/^AWS::SQS::Queue: /)],
  });
  expect(await run('{"Resources": ')).toMatchObject({ failed: 'template' });
  const undefinedResource = { Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { Ref: 'Missing' } } } };
  expect(await run({ Resources: undefinedResource })).toMatchObject({ failed: 'change set' });
});

test('reports all failures of a template, whichever comes first', async () => {
  const queue = { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: 10_000 } };
  const topic = { Type: 'AWS::SNS::Subscription', Properties: { Protocol: 'sqs', TopicArn: 'topic', Endpoint: 'x' } };
  // A resource that waits for a failed one is not tried.
  const waiting = { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: 20_000 }, DependsOn: 'Queue' };
  const both = await run({ Resources: { Queue: queue, Waiting: waiting, Topic: topic } });
  expect(both).toMatchObject({
    failed: 'create',
    causes: [expect.stringMatching(/^AWS::SNS::Subscription: /), expect.stringMatching(/^AWS::SQS::Queue: /)],
  });
  const { causes } = await run({ Resources: { Topic: topic, Waiting: waiting, Queue: queue } });
  expect(causes).toEqual(both.causes);
});

test('groups causes, with the reasons of known ones', async () => {
  const outcomes = [
    { name: 'a.json', failed: 'create' as const, causes: ['one', 'two'] },
    { name: 'b.json', failed: 'delete' as const, causes: ['two'] },
    { name: 'c.json', failed: undefined, causes: [] },
  ];
  const known = [{ reason: 'not emulated', causes: ['two', 'three'] }];
  expect(causesIn(outcomes, known)).toEqual([
    { cause: 'two', steps: ['create', 'delete'], templates: ['a.json', 'b.json'], reason: 'not emulated' },
    { cause: 'one', steps: ['create'], templates: ['a.json'], reason: undefined },
  ]);
  expect(staleCauses(outcomes, known)).toEqual(['three']);
  expect(reportOf(outcomes, known, false)).toBe(
    [
      '   2  create, delete: two',
      '      a.json, b.json',
      '      known: not emulated',
      '   1  create: one',
      '      a.json',
      '1 of 3 templates pass all steps.',
    ].join('\n'),
  );
});

test.each([
  [{ Type: 'String', Default: 3 }, '3'],
  [{ Type: 'String', AllowedValues: ['small', 'large'] }, 'small'],
  [{ Type: 'Number', MinValue: 5 }, '5'],
  [{ Type: 'List<AWS::EC2::Subnet::Id>' }, 'subnet-0123456789abcdef0'],
  [{ Type: 'String', AllowedPattern: '\\d+\\.\\d+\\.\\d+\\.\\d+/\\d+' }, '10.0.0.0/16'],
  [{ Type: 'String', MinLength: 7 }, 'dummydu'],
])('the parameter %j receives %s', (declared, value) => {
  expect(dummyOf('Value', declared)).toBe(value);
});

test('reads the templates of a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    expect(() => readTemplates(folder)).toThrow(`${folder} contains no files with the extensions`);
    for (const name of ['b.yaml', 'a.json', 'notes.txt']) writeFileSync(join(folder, name), name);
    expect(readTemplates(folder)).toEqual([
      { name: 'a.json', text: 'a.json' },
      { name: 'b.yaml', text: 'b.yaml' },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
