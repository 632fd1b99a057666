import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CreateDeliveryStreamInput } from '@aws-sdk/client-firehose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BUCKET, type FirehoseTest, failureOf, ROLE, startFirehose } from './support.ts';

interface Seen {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let t: FirehoseTest;
let server: Server;
let base: string;
let seen: Seen[];
let answer: (request: Seen) => { status?: number; body: object };

beforeAll(async () => {
  t = await startFirehose();
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = { url: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() };
    seen.push(one);
    const { status = 200, body } = answer(one);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  seen = [];
});

const bucket = (Prefix: string) => ({ RoleARN: ROLE, BucketARN: BUCKET, Prefix });
const HINTS = { SizeInMBs: 1, IntervalInSeconds: 60 };
const create = (DeliveryStreamName: string, config: Partial<CreateDeliveryStreamInput>) =>
  t.firehose.createDeliveryStream({ DeliveryStreamName, ...config });
const described = async (DeliveryStreamName: string) =>
  (await t.firehose.describeDeliveryStream({ DeliveryStreamName })).DeliveryStreamDescription!.Destinations![0]!;

/** Lines of the objects under a prefix, once there are any. */
async function failures(prefix: string): Promise<Record<string, string>[]> {
  await expect
    .poll(async () => {
      await t.advance(300);
      return t.texts(prefix).length;
    })
    .toBeGreaterThan(0);
  return t
    .texts(prefix)
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);
}
const raw = ({ rawData }: Record<string, string>): string => Buffer.from(rawData!, 'base64').toString();

describe('OpenSearch', () => {
  const config = (prefix: string, more: object = {}) => ({
    AmazonopensearchserviceDestinationConfiguration: {
      RoleARN: ROLE,
      ClusterEndpoint: base,
      IndexName: 'logs',
      BufferingHints: HINTS,
      RetryOptions: { DurationInSeconds: 30 },
      S3Configuration: bucket(prefix),
      ...more,
    },
  });
  const taken = { index: { status: 201 } };

  test('receives documents in bulk, in the index of their time', async () => {
    await create('os', config('os/'));
    answer = () => ({ body: { errors: false, items: [taken, taken] } });
    await t.put('os', '{"n":1}', '{"n":2}');
    await t.advance(61);
    await expect.poll(() => seen.length).toBe(1);
    expect(seen[0]).toMatchObject({ url: '/_bulk', headers: { 'content-type': 'application/x-ndjson' } });
    const lines = seen[0]!.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([{ index: { _index: 'logs-2030-02-03' } }, { n: 1 }, { index: {} }, { n: 2 }]);
    expect(lines[0].index._id).not.toBe(lines[2].index._id);
    expect((await described('os')).AmazonopensearchserviceDestinationDescription).toMatchObject({
      ClusterEndpoint: base,
      IndexRotationPeriod: 'OneDay',
      DocumentIdOptions: { DefaultDocumentIdFormat: 'FIREHOSE_DEFAULT' },
      S3BackupMode: 'FailedDocumentsOnly',
      S3DestinationDescription: { Prefix: 'os/' },
    });
  });

  test.each([
    ['NoRotation', 'logs'],
    ['OneHour', /^logs-20\d\d-\d\d-\d\d-\d\d$/],
    ['OneWeek', /^logs-20\d\d-w\d\d$/],
    ['OneMonth', /^logs-20\d\d-\d\d$/],
  ] as const)('names indexes by %s', async (IndexRotationPeriod, expected) => {
    const DocumentIdOptions = { DefaultDocumentIdFormat: 'NO_DOCUMENT_ID' };
    await create(IndexRotationPeriod, config(`${IndexRotationPeriod}/`, { IndexRotationPeriod, DocumentIdOptions }));
    answer = () => ({ body: { items: [taken] } });
    await t.put(IndexRotationPeriod, '{}');
    await t.advance(61);
    await expect.poll(() => seen.length).toBe(1);
    const { index } = JSON.parse(seen[0]!.body.split('\n')[0]!);
    expect(index._index).toMatch(expected);
    expect(index._id).toBeUndefined();
  });

  test('receives only overloaded documents again; invalid ones go to the bucket', async () => {
    await create('partly', config('partly/'));
    const error = { type: 'mapper_parsing_exception', reason: 'failed to parse' };
    const busy = { index: { status: 429, error: { type: 'rejected', reason: 'queue is full' } } };
    answer = ({ body }) =>
      body.includes('bad')
        ? { body: { items: [taken, busy, { index: { status: 400, error } }] } }
        : { body: { items: [taken] } };
    await t.put('partly', '{"n":"good"}', '{"n":"later"}', '{"n":"bad"}');
    await t.advance(61);
    await expect.poll(() => seen.length).toBe(1);
    await expect
      .poll(async () => {
        await t.advance(5);
        return seen.length;
      })
      .toBe(2);
    expect(seen[1]!.body).toContain('later');
    expect(seen[1]!.body).not.toContain('good');
    const again = (at: number, line: number) => JSON.parse(seen[at]!.body.split('\n')[line]!).index._id;
    expect(again(1, 0)).toBe(again(0, 2));
    const lines = await failures('partly/AmazonOpenSearchService-failed/');
    expect(lines).toMatchObject([
      { errorCode: 'OS.400', errorMessage: 'failed to parse', esIndexName: expect.stringMatching(/^logs-/) },
    ]);
    expect(lines.map(raw)).toEqual(['{"n":"bad"}']);
  });

  test('leaves everything in the bucket if unreachable within the retry duration', async () => {
    await create('away', config('away/', { ClusterEndpoint: 'http://127.0.0.1:1' }));
    await t.put('away', '{"n":1}');
    const lines = await failures('away/AmazonOpenSearchService-failed/');
    expect(lines).toMatchObject([{ errorCode: 'OS.ConnectionError' }]);
    expect(lines.map(raw)).toEqual(['{"n":1}']);
    expect(Number(lines[0]!.attemptsMade)).toBeGreaterThan(1);
  });

  test('must be named in exactly one way', async () => {
    const both = config('x/', { DomainARN: 'arn:aws:es:us-east-1:000000000000:domain/dom' });
    expect(await failureOf(create('refused', both))).toBe(
      'InvalidArgumentException: Exactly one of DomainARN and ClusterEndpoint must be specified.',
    );
  });

  test('inside a VPC is reached at its address, even after an update', async () => {
    const place = { SubnetIds: ['subnet-0123456789abcdef0'], RoleARN: ROLE, SecurityGroupIds: ['sg-01234567'] };
    for (const [wrong, message] of [
      [{ SubnetIds: ['s'] }, "The subnet ID 's' is not valid."],
      [{ SecurityGroupIds: ['g'] }, "The security group ID 'g' is not valid."],
    ] as const)
      expect(await failureOf(create('refused', config('x/', { VpcConfiguration: { ...place, ...wrong } })))).toBe(
        `InvalidArgumentException: ${message}`,
      );
    await create('inside', config('inside/', { VpcConfiguration: place }));
    await t.advance(1);
    const update = {
      AmazonopensearchserviceDestinationUpdate: { IndexName: 'later', IndexRotationPeriod: 'NoRotation' },
    };
    await t.firehose.updateDestination({
      DeliveryStreamName: 'inside',
      CurrentDeliveryStreamVersionId: '1',
      DestinationId: 'destinationId-000000000001',
      ...(update as object),
    });
    const { AmazonopensearchserviceDestinationDescription: destination } = await described('inside');
    expect(destination?.VpcConfigurationDescription).toEqual({
      ...place,
      VpcId: expect.stringMatching(/^vpc-[0-9a-f]{17}$/),
    });
    answer = () => ({ body: { errors: false, items: [taken] } });
    await t.put('inside', '{"n":1}');
    await t.advance(61);
    await expect.poll(() => seen.length).toBe(1);
    expect(seen[0]!.body).toContain('"_index":"later"');
  });
});

describe('Splunk', () => {
  const config = (prefix: string, more: object = {}) => ({
    SplunkDestinationConfiguration: {
      HECEndpoint: base,
      HECEndpointType: 'Event' as const,
      HECToken: 'token',
      BufferingHints: HINTS,
      RetryOptions: { DurationInSeconds: 30 },
      S3Configuration: bucket(prefix),
      ...more,
    },
  });

  test('receives events by its protocol, and acknowledges their indexing', async () => {
    await create('splunk', config('splunk/', { HECAcknowledgmentTimeoutInSeconds: 300 }));
    let asked = 0;
    answer = ({ url }) =>
      url.includes('/ack') ? { body: { acks: { 7: ++asked > 1 } } } : { body: { text: 'Success', code: 0, ackId: 7 } };
    await t.put('splunk', '{"event":"a"}', '{"event":"b"}');
    await t.advance(61);
    await expect.poll(() => asked).toBe(1);
    await expect
      .poll(async () => {
        await t.advance(10);
        return asked;
      })
      .toBe(2);
    const [sent, ack] = seen as [Seen, Seen];
    expect(sent.url).toMatch(/^\/services\/collector\/event\?channel=[0-9a-f-]{36}$/);
    expect(sent.body).toBe('{"event":"a"}{"event":"b"}');
    expect(sent.headers).toMatchObject({ authorization: 'Splunk token' });
    expect(sent.url.split('=')[1]).toBe(sent.headers['x-splunk-request-channel']);
    expect(JSON.parse(ack.body)).toEqual({ acks: [7] });
    await t.advance(600);
    expect(t.texts('splunk/')).toEqual([]);
    expect((await described('splunk')).SplunkDestinationDescription).toMatchObject({
      HECEndpointType: 'Event',
      HECAcknowledgmentTimeoutInSeconds: 300,
      S3BackupMode: 'FailedEventsOnly',
    });
  });

  test('leaves events in the bucket if it rejects the token, or never acknowledges', async () => {
    await create('token', config('token/', { HECEndpointType: 'Raw' }));
    answer = () => ({ status: 403, body: { text: 'Invalid token', code: 4 } });
    await t.put('token', 'event');
    const refused = await failures('token/splunk-failed/');
    expect(refused).toMatchObject([{ errorCode: 'Splunk.InvalidToken', errorMessage: 'Invalid token' }]);
    expect(refused.map(raw)).toEqual(['event']);
    expect(seen[0]!.url).toContain('/services/collector/raw?');

    await create('silent', config('silent/', { HECAcknowledgmentTimeoutInSeconds: 180 }));
    answer = ({ url }) => ({ body: url.includes('/ack') ? { acks: { 1: false } } : { code: 0, ackId: 1 } });
    await t.put('silent', 'event');
    expect(await failures('silent/splunk-failed/')).toMatchObject([
      { errorCode: 'Splunk.AckTimeout', EventId: expect.any(String) },
    ]);
  });

  test('uses updated members and keeps the others', async () => {
    await create('updated', config('updated/', { S3BackupMode: 'AllEvents' }));
    await t.firehose.updateDestination({
      DeliveryStreamName: 'updated',
      DestinationId: 'destinationId-000000000001',
      CurrentDeliveryStreamVersionId: '1',
      SplunkDestinationUpdate: { HECEndpointType: 'Raw', S3Update: { Prefix: 'other/' } },
    });
    expect((await described('updated')).SplunkDestinationDescription).toMatchObject({
      HECEndpoint: base,
      HECEndpointType: 'Raw',
      S3BackupMode: 'AllEvents',
      S3DestinationDescription: { Prefix: 'other/' },
    });
    answer = ({ url }) => ({ body: url.includes('/ack') ? { acks: { 1: true } } : { code: 0, ackId: 1 } });
    await t.put('updated', 'kept');
    await expect
      .poll(async () => {
        await t.advance(300);
        return t.texts('other/');
      })
      .toEqual(['kept']);
    expect(seen[0]!.body).toBe('kept');
  });
});

describe('tables', () => {
  const S3Configuration = bucket('tables/');
  const common = { RoleARN: ROLE, S3Configuration };
  const CopyCommand = { DataTableName: 't' };
  const ClusterJDBCURL = 'jdbc:redshift://c.us-east-1.redshift.amazonaws.com:5439/dev';
  const snowflake = { AccountUrl: 'https://a.snowflakecomputing.com', Database: 'd', Schema: 's', Table: 't' };
  const CatalogConfiguration = { CatalogARN: 'arn:aws:glue:us-east-1:000000000000:catalog' };

  test.each([
    [
      'Redshift',
      {
        RedshiftDestinationConfiguration: {
          ...common,
          ClusterJDBCURL,
          CopyCommand,
          Username: 'u',
          Password: 'secret1',
        },
      },
      { ClusterJDBCURL, Username: 'u', S3BackupMode: 'Disabled', RetryOptions: { DurationInSeconds: 3600 } },
    ],
    [
      'Snowflake',
      { SnowflakeDestinationConfiguration: { ...common, ...snowflake, User: 'u', PrivateKey: 'k'.repeat(256) } },
      { ...snowflake, User: 'u', DataLoadingOption: 'JSON_MAPPING', BufferingHints: { IntervalInSeconds: 0 } },
    ],
    [
      'Iceberg',
      { IcebergDestinationConfiguration: { ...common, CatalogConfiguration } },
      { CatalogConfiguration, S3BackupMode: 'FailedDataOnly' },
    ],
  ])('of %s receive nothing; records are in the bucket as undelivered', async (name, config, description) => {
    await create(name, config as Partial<CreateDeliveryStreamInput>);
    const shown = (await described(name)) as unknown as Record<string, object>;
    const destination = shown[`${name}DestinationDescription`]!;
    expect(destination).toMatchObject(description);
    expect(Object.keys(destination)).not.toContain('Password');
    expect(Object.keys(destination)).not.toContain('PrivateKey');
    await t.put(name, 'row');
    const lines = await failures(`tables/${name.toLowerCase()}-failed/`);
    expect(lines).toMatchObject([{ errorCode: `${name}.DestinationUnreachable` }]);
    expect(lines.map(raw)).toEqual(['row']);
  });

  test('rejects missing members', async () => {
    const redshift = { ...common, ClusterJDBCURL, CopyCommand };
    expect(await failureOf(create('refused', { RedshiftDestinationConfiguration: redshift }))).toBe(
      'InvalidArgumentException: Username is required when SecretsManagerConfiguration is not enabled.',
    );
    const secret = { ...redshift, SecretsManagerConfiguration: { Enabled: true } };
    expect(await failureOf(create('refused', { RedshiftDestinationConfiguration: secret }))).toBe(
      'InvalidArgumentException: SecretARN is required when SecretsManagerConfiguration is enabled.',
    );
  });
});
