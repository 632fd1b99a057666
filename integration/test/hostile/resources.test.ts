import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as ses } from '@emu/svc-ses/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import {
  describeHostileInputs,
  eventually,
  type HostileClient,
  nestedArrays,
  nestedObjects,
  type Outcome,
} from './support.ts';

const createStack = (client: HostileClient, attempt: number, template: object | string) =>
  client.call('cloudformation', 'CreateStack', {
    StackName: `s${attempt}`,
    TemplateBody: typeof template === 'string' ? template : JSON.stringify(template),
    Capabilities: ['CAPABILITY_AUTO_EXPAND'],
  });

const NESTED_URL = 'https://templates.s3.amazonaws.com/nested.json';

/** Stores a template that nests itself, once or more often. */
async function putNested(client: HostileClient, times = 1): Promise<void> {
  const nested = { Type: 'AWS::CloudFormation::Stack', Properties: { TemplateURL: NESTED_URL } };
  await client.signed('s3', 'PUT', '/templates');
  await client.signed('s3', 'PUT', '/templates/nested.json', {
    Resources: Object.fromEntries(Array.from({ length: times }, (_, at) => [`N${at}`, nested])),
  });
}

/** Creates a stack that nests itself. @returns its description once it is rolled back */
async function nestStack(client: HostileClient, StackName: string, times = 1): Promise<Outcome> {
  await putNested(client, times);
  await client.call('cloudformation', 'CreateStack', { StackName, TemplateURL: NESTED_URL });
  return eventually(async () => {
    const described = await client.call('cloudformation', 'DescribeStacks', { StackName });
    return described.text.includes('<StackStatus>ROLLBACK_COMPLETE') ? described : undefined;
  });
}

const topic = (DisplayName: unknown) => ({ T: { Type: 'AWS::SNS::Topic', Properties: { DisplayName } } });

const nestedJoins = (levels: number) => {
  let value: unknown = 'a';
  for (let level = 0; level < levels; level++) value = { 'Fn::Join': ['', [value, 'b']] };
  return value;
};

/** Returns joins of pairs of joins, with 2^levels texts. */
const pairedJoins = (levels: number): unknown => {
  if (levels === 0) return 'a';
  const half = pairedJoins(levels - 1);
  return { 'Fn::Join': ['', [half, half]] };
};

/** Returns a template of SAM whose function has as many events of its API. */
const samEvents = (count: number) => ({
  Transform: 'AWS::Serverless-2016-10-31',
  Resources: {
    F: {
      Type: 'AWS::Serverless::Function',
      Properties: {
        InlineCode: 'a',
        Handler: 'index.handler',
        Role: 'arn:aws:iam::123456789012:role/r',
        Runtime: 'python3.13',
        Events: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [
            `E${at}`,
            { Type: 'Api', Properties: { Path: `/p${at}`, Method: 'get' } },
          ]),
        ),
      },
    },
  },
});

/** Puts items by an expression of an update or a condition. */
const updateItem = (client: HostileClient, more: object) =>
  client.call('dynamodb', 'UpdateItem', { TableName: 't', Key: { k: { S: 'a' } }, ...more });

const parentheses = (levels: number, inside: string) => '('.repeat(levels) + inside + ')'.repeat(levels);

const createPolicy = (client: HostileClient, attempt: number, document: object | string) =>
  client.call('iam', 'CreatePolicy', {
    PolicyName: `p${attempt}`,
    PolicyDocument: typeof document === 'string' ? document : JSON.stringify(document),
  });

const multipart = (levels: number) =>
  `From: a@example.com\r\nTo: b@example.com\r\nMIME-Version: 1.0\r\n${Array.from(
    { length: levels },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  ).join('')}Content-Type: text/plain\r\n\r\nhello\r\n`;

describeHostileInputs(
  [cloudformation, dynamodb, iam, s3, ses, sns, sqs],
  [
    {
      name: 'a template of nested objects',
      send: (client, attempt) => createStack(client, attempt, nestedObjects(8000)),
      code: 'ValidationError',
    },
    {
      name: 'a template in YAML of nested lists',
      send: (client, attempt) => createStack(client, attempt, `Resources: ${nestedArrays(20_000)}`),
      code: 'ValidationError',
    },
    {
      name: 'a template of 40 nested joins',
      send: (client, attempt) => createStack(client, attempt, { Resources: topic(nestedJoins(40)) }),
    },
    {
      name: 'a template of 2^11 texts in paired joins',
      send: (client, attempt) => createStack(client, attempt, { Resources: topic(pairedJoins(11)) }),
    },
    {
      name: 'a template of SAM with 300 events of an API',
      send: (client, attempt) => createStack(client, attempt, samEvents(300)),
    },
    {
      name: 'a template whose loops make a product of 10^9 resources',
      send: (client, attempt) => {
        const values = Array.from({ length: 1000 }, (_, at) => `v${at}`);
        const inner = { 'Fn::ForEach::C': ['c', values, topic('a')] };
        return createStack(client, attempt, {
          Transform: 'AWS::LanguageExtensions',
          Resources: { 'Fn::ForEach::A': ['a', values, { 'Fn::ForEach::B': ['b', values, inner] }] },
        });
      },
      code: 'ValidationError',
    },
    {
      name: 'conditions that refer to each other in a circle',
      send: (client, attempt) =>
        createStack(client, attempt, {
          Conditions: { A: { 'Fn::Not': [{ Condition: 'B' }] }, B: { 'Fn::Not': [{ Condition: 'A' }] } },
          Resources: topic('a'),
        }),
      code: 'ValidationError',
    },
    {
      name: 'a stack that nests itself',
      send: (client, attempt) => nestStack(client, `nests${attempt}`),
    },
    {
      name: 'a stack that nests itself twice',
      send: (client, attempt) => nestStack(client, `doubles${attempt}`, 2),
    },
    {
      name: 'a change set of a stack that nests itself',
      send: async (client, attempt) => {
        await putNested(client);
        const about = { StackName: `reviews${attempt}`, ChangeSetName: 'c' };
        await client.call('cloudformation', 'CreateChangeSet', {
          ...about,
          ChangeSetType: 'CREATE',
          TemplateURL: NESTED_URL,
          IncludeNestedStacks: true,
        });
        return client.call('cloudformation', 'DescribeChangeSet', about);
      },
      text: /Nested change set .* was not successfully created/,
    },
    {
      name: '1,000 parentheses in a condition expression',
      send: (client) => updateItem(client, { ConditionExpression: parentheses(1000, 'a = b') }),
      code: 'ValidationException',
    },
    {
      name: '1,000 negations in a condition expression',
      send: (client) => updateItem(client, { ConditionExpression: `${'NOT '.repeat(1000)}a = b` }),
      code: 'ValidationException',
    },
    {
      name: '1,000 parentheses in a PartiQL statement',
      send: (client) =>
        client.call('dynamodb', 'ExecuteStatement', {
          Statement: `SELECT * FROM t WHERE ${parentheses(1000, 'a = 1')}`,
        }),
      code: 'ValidationException',
    },
    {
      name: 'an item of nested lists',
      send: (client) =>
        client.call(
          'dynamodb',
          'PutItem',
          `{"TableName":"t","Item":{"k":${'{"L":['.repeat(5000)}${']}'.repeat(5000)}}}`,
        ),
      code: 'SerializationException',
    },
    {
      name: 'a policy of nested objects',
      send: (client, attempt) => createPolicy(client, attempt, nestedObjects(1000)),
      code: 'MalformedPolicyDocument',
    },
    {
      name: 'a policy of many wildcards',
      send: (client, attempt) =>
        createPolicy(client, attempt, {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Action: '*', Resource: `arn:aws:s3:::${'*a'.repeat(2000)}*` }],
        }),
    },
    {
      name: 'a filter policy of nested objects',
      send: async (client) => {
        await client.call('sns', 'CreateTopic', { Name: 't' });
        return client.call('sns', 'Subscribe', {
          TopicArn: 'arn:aws:sns:us-east-1:123456789012:t',
          Protocol: 'sqs',
          Endpoint: 'arn:aws:sqs:us-east-1:000000000000:q',
          'Attributes.entry.1.key': 'FilterPolicy',
          'Attributes.entry.1.value': nestedObjects(20_000, '["a"]'),
        });
      },
      code: 'InvalidParameter',
    },
    {
      name: 'a mail of 20,000 nested parts',
      send: (client) =>
        client.call('ses', 'SendRawEmail', {
          'RawMessage.Data': Buffer.from(multipart(20_000)).toString('base64'),
        }),
      code: 'MessageRejected',
    },
    {
      name: 'a JSON body of nested arrays',
      send: (client) => client.call('sqs', 'ListQueues', `{"QueueNamePrefix":${nestedArrays(100_000)}}`),
      code: 'SerializationException',
    },
    {
      name: 'an XML body of nested elements',
      send: (client) =>
        client.signed('s3', 'PUT', '/b?tagging', `${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}`, {
          'content-type': 'application/xml',
        }),
      code: 'MalformedXML',
    },
    {
      name: 'an upload of 300,000 chunks of one byte',
      send: async (client) => {
        await client.signed('s3', 'PUT', '/chunks');
        return client.signed('s3', 'PUT', '/chunks/k', `${'1\r\na\r\n'.repeat(300_000)}0\r\n\r\n`, {
          'content-encoding': 'aws-chunked',
          'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
          'x-amz-decoded-content-length': '300000',
        });
      },
    },
    {
      name: 'a browser form of 50,000 fields',
      send: async (client) => {
        await client.signed('s3', 'PUT', '/forms');
        const field = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
        const type = { 'content-type': 'multipart/form-data; boundary=b' };
        return client.plain('POST', '/forms', type, `${field.repeat(50_000)}--b--\r\n`);
      },
      code: 'MaxPostPreDataLengthExceeded',
      text: '<MaxPostPreDataLengthBytes>20480</MaxPostPreDataLengthBytes>',
    },
  ],
);
