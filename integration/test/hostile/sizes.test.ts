import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { describeHostileInputs, type HostileClient } from './support.ts';

const YEAR_9999 = 253_402_300_799;
/** YAML whose parsing takes hours, because each level of an explicit key multiplies the time. */
const EXPLICIT_KEYS = `${'? '.repeat(1000)}a`;

const createStream = (client: HostileClient, attempt: number, ShardCount: number) =>
  client.call('kinesis', 'CreateStream', { StreamName: `s${attempt}`, ShardCount });
const targets = (length: number): object[] =>
  Array.from({ length }, (_, index) => ({ Id: String(index), Arn: 'arn:aws:sqs:us-east-1:123456789012:q' }));
const math = (client: HostileClient, Expression: string) =>
  client.call('cloudwatch', 'GetMetricData', {
    StartTime: 0,
    EndTime: YEAR_9999,
    MetricDataQueries: [{ Id: 'e', Expression, Period: 1 }],
  });

describeHostileInputs(
  [apigateway, apigatewayv2, cloudformation, cloudwatch, events, kinesis, logs, ssm],
  [
    ...[2 ** 31, 1e20, 2 ** 63].map((count) => ({
      name: `a stream of ${count} shards`,
      send: (client: HostileClient, attempt: number) => createStream(client, attempt, count),
      code: 'LimitExceededException',
    })),
    {
      name: 'a stream of -1 shards',
      send: (client, attempt) => createStream(client, attempt, -1),
      code: 'ValidationException',
    },
    {
      name: '60,000 targets of a rule',
      send: (client) => client.call('events', 'PutTargets', { Rule: 'r', Targets: targets(60_000) }),
      code: 'ValidationException',
      text: /^[^']*1 validation error detected: Value '\[Target\(id=0/,
    },
    {
      name: '100,000 targets of a rule',
      send: (client) => client.call('events', 'PutTargets', { Rule: 'r', Targets: targets(100_000) }),
      code: 'RequestEntityTooLarge',
    },
    {
      name: '90,000 events of a request',
      send: (client) =>
        client.call('events', 'PutEvents', {
          Entries: Array.from({ length: 90_000 }, () => ({ Source: 'a', DetailType: 'b', Detail: '{}' })),
        }),
      code: 'ValidationException',
      text: /^[^']*1 validation error detected: Value '\[PutEventsRequestEntry/,
    },
    {
      name: 'a datapoint per second until the year 9999',
      send: (client) => math(client, 'TIME_SERIES(1)'),
      code: 'ValidationException',
      text: 'more than 1008000 datapoints',
    },
    {
      name: 'a scheduled query that starts at 2^63',
      send: (client, attempt) =>
        client.call('logs', 'CreateScheduledQuery', {
          name: `q${attempt}`,
          queryLanguage: 'CWLI',
          queryString: 'fields @message',
          logGroupIdentifiers: ['/none'],
          scheduleExpression: 'cron(0 10 * * ? *)',
          scheduleStartTime: 2 ** 63,
          executionRoleArn: 'arn:aws:iam::123456789012:role/any',
        }),
    },
    {
      name: 'a template of 1,000 nested keys',
      send: (client) => client.call('cloudformation', 'ValidateTemplate', { TemplateBody: EXPLICIT_KEYS }),
      code: 'ValidationError',
      text: 'nested too deeply',
    },
    {
      name: 'a document of 1,000 nested keys',
      send: (client, attempt) =>
        client.call('ssm', 'CreateDocument', {
          Name: `document${attempt}`,
          Content: EXPLICIT_KEYS,
          DocumentFormat: 'YAML',
          DocumentType: 'Command',
        }),
      code: 'InvalidDocumentContent',
    },
    {
      name: 'a REST API of 1,000 nested keys',
      send: (client) => client.signed('apigateway', 'POST', '/restapis?mode=import', EXPLICIT_KEYS),
      code: 'BadRequestException',
    },
    {
      name: 'an HTTP API of 1,000 nested keys',
      send: (client) => client.signed('apigatewayv2', 'PUT', '/v2/apis', { body: EXPLICIT_KEYS }),
      code: 'BadRequestException',
    },
  ],
);
