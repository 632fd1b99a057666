import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { SFN } from '@aws-sdk/client-sfn';
import { SNS } from '@aws-sdk/client-sns';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Does not end with `a`: an engine that backtracks tries every way to divide it for `(a+)+$`. */
const text = (length: number) => `${'a'.repeat(length - 1)}!`;
const LONG = text(50_000);
const HOSTILE = ['(a+)+', '(a|aa)+', '(?:(?:a*)*)*', '(?:a?){50}a{50,}'];

let emulator: TestEmulator;
let rest: APIGateway;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [apigateway, cloudformation, logs, sns, ssm, stepfunctions] });
  rest = new APIGateway(emulator.clientConfig());
});
afterAll(() => emulator.close());

const fillIn = (expression: string, input: unknown) =>
  new SFN(emulator.clientConfig()).testState({
    definition: JSON.stringify({ QueryLanguage: 'JSONata', Type: 'Pass', Output: `{% ${expression} %}`, End: true }),
    roleArn: 'arn:aws:iam::000000000000:role/any',
    input: JSON.stringify(input),
  });

const choose = (pattern: string, value: string) =>
  new SFN(emulator.clientConfig()).testState({
    definition: JSON.stringify({
      Type: 'Choice',
      Choices: [{ Variable: '$.v', StringMatches: pattern, Next: 'Yes' }],
      Default: 'No',
    }),
    roleArn: 'arn:aws:iam::000000000000:role/any',
    input: JSON.stringify({ v: value }),
  });

/** Creates a GET method with a mock integration. @returns a function that tests it */
async function mockMethod(selectionPattern: string | undefined, template: string) {
  const { id: restApiId } = await rest.createRestApi({ name: 'expressions' });
  const { items } = await rest.getResources({ restApiId });
  const method = { restApiId, resourceId: items![0]!.id, httpMethod: 'GET' };
  await rest.putMethod({ ...method, authorizationType: 'NONE' });
  await rest.putIntegration({
    ...method,
    type: 'MOCK',
    requestTemplates: { 'application/json': '{"statusCode":200}' },
  });
  const responses = [
    { statusCode: '200', responseTemplates: { 'application/json': template } },
    ...(selectionPattern === undefined ? [] : [{ statusCode: '201', selectionPattern }]),
  ];
  for (const { statusCode, ...response } of responses) {
    await rest.putMethodResponse({ ...method, statusCode });
    await rest.putIntegrationResponse({ ...method, statusCode, ...response });
  }
  return (body: string) => rest.testInvokeMethod({ ...method, body });
}

test.each(HOSTILE)('AllowedPattern %s of a template', async (pattern) => {
  const TemplateBody = JSON.stringify({
    Parameters: { P: { Type: 'String', AllowedPattern: pattern } },
    Resources: { T: { Type: 'AWS::SNS::Topic' } },
  });
  const Parameters = [{ ParameterKey: 'P', ParameterValue: text(4096) }];
  const cfn = new CloudFormation(emulator.clientConfig());
  await expect(cfn.createStack({ StackName: 'expressions', TemplateBody, Parameters })).rejects.toThrow(
    `Parameter 'P' must match pattern ${pattern}`,
  );
});

test.each(HOSTILE)('allowed pattern %s of a parameter', async (pattern) => {
  const input = { Name: 'p', Type: 'String', Value: text(4096), AllowedPattern: `^${pattern}$` } as const;
  await expect(new SSM(emulator.clientConfig()).putParameter(input)).rejects.toThrow(
    `Parameter value, cannot be validated against allowedPattern: ^${pattern}$`,
  );
});

test.each(HOSTILE)('JSONata with the expression %s', async (pattern) => {
  const { output } = await fillIn(`$contains($states.input.v, /^${pattern}$/)`, { v: LONG });
  expect(output).toBe('false');
});

test('JSONata finds, splits and replaces', async () => {
  const { output } = await fillIn(
    "[$match('ab1ab2', /ab(\\d)/).groups, $split('a, b,c', /,\\s*/), $replace('aXbX', /x/i, '-'), $match('abab', /ab/, 1).index]",
    {},
  );
  expect(JSON.parse(output!)).toEqual(['1', '2', 'a', 'b', 'c', 'a-b-', 0]);
});

test('JSONata refuses a back reference', async () => {
  expect(await fillIn("$contains('aa', /(a)\\1/)", {})).toMatchObject({
    status: 'FAILED',
    error: 'States.QueryEvaluationError',
    cause: expect.stringContaining('Back references are not supported in regular expressions') as string,
  });
});

test.each([
  [`${'*a'.repeat(30)}`, LONG, 'No'],
  [`${'*a'.repeat(30)}*`, LONG, 'Yes'],
  ['a\\*\\\\*', 'a*\\b', 'Yes'],
  ['a\\*\\\\*', 'ab\\b', 'No'],
])('StringMatches %s', async (pattern, value, nextState) => {
  expect(await choose(pattern, value)).toMatchObject({ nextState });
});

test.each(HOSTILE)('templates with the expression %s', async (pattern) => {
  const template = `#set($b = $input.body)$b.matches("${pattern}") $b.replaceAll("^${pattern}$", "x").length() $b.split("^${pattern}$").size()`;
  const invoke = await mockMethod(undefined, template.replace('$input.body', `"${text(8000)}"`));
  expect((await invoke('')).body).toBe('false 8000 1');
});

test('selection patterns are checked', async () => {
  await expect(mockMethod('(a)\\1', '')).rejects.toThrow(
    'Invalid selection pattern specified: (a)\\1: Back references are not supported in regular expressions',
  );
  const invoke = await mockMethod('([02]+)+', 'none');
  expect((await invoke('')).status).toBe(201);
});

test.each(['[a]*[a]*[a]*[a]*[a]*b', 'a*a*a*a*a*b', 'a*a*a*a*a*a*a*a*a*a*b'])(
  'the filter pattern %s',
  async (pattern) => {
    const cwl = new CloudWatchLogs(emulator.clientConfig());
    const { matches } = await cwl.testMetricFilter({
      filterPattern: `%${pattern}%`,
      logEventMessages: [LONG, 'a'.repeat(3000), `${'a'.repeat(1000)}b`],
    });
    expect(matches?.map(({ eventNumber }) => eventNumber)).toEqual([3]);
  },
);

test.each(HOSTILE)('substituteString with the expression %s', async (pattern) => {
  const { transformedLogs } = await new CloudWatchLogs(emulator.clientConfig()).testTransformer({
    transformerConfig: [
      { parseJSON: {} },
      { substituteString: { entries: [{ source: 'v', from: `^${pattern}$`, to: 'x' }] } },
    ],
    logEventMessages: [JSON.stringify({ v: LONG })],
  });
  expect(JSON.parse(transformedLogs![0]!.transformedEventMessage!)).toEqual({ v: LONG });
});

test('grok patterns that match text in many ways', async () => {
  const spaces = ' '.repeat(50_000);
  const { transformedLogs } = await new CloudWatchLogs(emulator.clientConfig()).testTransformer({
    transformerConfig: [{ grok: { match: '%{DATA:a} %{DATA:b} %{DATA:c} %{DATA:d}Z %{IPV4:e}' } }],
    logEventMessages: [spaces, '1 2 3 4Z 10.0.0.256', '1 2 3 4Z 10.0.0.25'],
  });
  const matches = transformedLogs!.map(({ transformedEventMessage = '' }) => /"e":"10/.test(transformedEventMessage));
  expect(matches).toEqual([false, false, true]);
});

test('a custom data identifier', async () => {
  const client = new SNS(emulator.clientConfig());
  const { TopicArn } = await client.createTopic({ Name: 'expressions' });
  const statement = {
    Sid: 'deny',
    DataDirection: 'Inbound',
    Principal: ['*'],
    DataIdentifier: ['Own'],
    Operation: { Deny: {} },
  };
  const policy = (Regex: string) =>
    JSON.stringify({
      Name: 'expressions',
      Version: '2021-06-01',
      Configuration: { CustomDataIdentifier: [{ Name: 'Own', Regex }] },
      Statement: [statement],
    });
  const put = (Regex: string) =>
    client.putDataProtectionPolicy({ ResourceArn: TopicArn, DataProtectionPolicy: policy(Regex) });
  await expect(put('[ab]{900}')).rejects.toThrow('Invalid CustomDataIdentifier');
  await put('a*a*a*a*a*a*a*a*b');
  await client.publish({ TopicArn, Message: LONG });
  await expect(client.publish({ TopicArn, Message: `${LONG}ab` })).rejects.toThrow(
    'The message was denied by the data protection policy',
  );
});
