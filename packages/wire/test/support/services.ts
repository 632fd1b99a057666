import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as cloudwatch from '@aws-sdk/client-cloudwatch';
import * as ec2 from '@aws-sdk/client-ec2';
import * as lambda from '@aws-sdk/client-lambda';
import * as s3 from '@aws-sdk/client-s3';
import * as secretsmanager from '@aws-sdk/client-secrets-manager';
import * as sqs from '@aws-sdk/client-sqs';
import * as sts from '@aws-sdk/client-sts';
import { AwsQueryProtocol, AwsSmithyRpcV2CborProtocol } from '@aws-sdk/core/protocols';
import fc from 'fast-check';
import type { Protocol, ServiceCodec, ServiceModel, WireRequest } from '../../src/index.ts';
import { type Answer, requestHandler } from './sdk.ts';

/** Any SDK client. */
export interface Client {
  send(command: unknown): Promise<Record<string, unknown>>;
}
/** A class of an SDK package. */
export type Constructor<T> = new (argument: unknown) => T;

/** A service that tests a protocol against the SDK. */
export interface Service {
  protocol: Protocol;
  module: object;
  client: string;
  model: string;
  /** Extra configuration of the client. */
  config?: Record<string, unknown>;
  /** Members that the SDK handles specially. */
  special?: Record<string, fc.Arbitrary<unknown> | undefined>;
  /** Input members that the SDK adds. */
  added?: readonly string[];
  /** Operations that the SDK sends differently, with the reason. */
  left?: Record<string, string>;
}

/** A service with three protocols, whose client uses JSON by default. */
const CLOUDWATCH_CONFIG = {
  rpcv2Cbor: { protocol: AwsSmithyRpcV2CborProtocol },
  awsJson1_0: {},
  awsQuery: {
    protocol: AwsQueryProtocol,
    protocolSettings: {
      defaultNamespace: 'com.amazonaws.cloudwatch',
      xmlNamespace: 'http://monitoring.amazonaws.com/doc/2010-08-01/',
      version: '2010-08-01',
      serviceTarget: 'GraniteServiceVersion20100801',
    },
  },
};

/** Members of S3's inputs that the SDK computes or changes. */
const S3_COMPUTED = [
  ...[
    'ContentLength',
    'ChecksumAlgorithm',
    'ChecksumMode',
    'ChecksumType',
    'ContentMD5',
    'SSECustomerKey',
    'SSECustomerKeyMD5',
  ],
  ...[
    'CopySourceSSECustomerKey',
    'CopySourceSSECustomerKeyMD5',
    'ChecksumCRC32',
    'ChecksumCRC32C',
    'ChecksumCRC64NVME',
  ],
  ...[
    'ChecksumSHA1',
    'ChecksumSHA256',
    'ChecksumSHA512',
    'ChecksumMD5',
    'ChecksumXXHASH64',
    'ChecksumXXHASH3',
    'ChecksumXXHASH128',
  ],
];

/** Members with another type in the SDK than in the model. */
const S3_OTHERWISE = ['Expires', 'PartNumberMarker', 'NextPartNumberMarker'];

/** At least one service for each protocol. */
export const SERVICES: Service[] = [
  {
    protocol: 'awsJson1_0',
    module: sqs,
    client: 'SQSClient',
    model: '../svc-sqs/model/sqs.json',
    config: { md5: false, useQueueUrlAsEndpoint: false },
  },
  {
    protocol: 'awsQuery',
    module: sqs,
    client: 'SQSClient',
    model: '../svc-sqs/model/sqs.json',
    config: {
      md5: false,
      useQueueUrlAsEndpoint: false,
      protocol: AwsQueryProtocol,
      protocolSettings: {
        defaultNamespace: 'com.amazonaws.sqs',
        xmlNamespace: 'http://queue.amazonaws.com/doc/2012-11-05/',
        version: '2012-11-05',
        serviceTarget: 'AmazonSQS',
      },
    },
    // Both are named AttributeName, so a client sends them as one list.
    special: { AttributeNames: undefined, MessageSystemAttributeNames: undefined },
  },
  {
    protocol: 'awsJson1_1',
    module: secretsmanager,
    client: 'SecretsManagerClient',
    model: 'test/model/secretsmanager.json',
  },
  {
    protocol: 'restJson1',
    module: lambda,
    client: 'LambdaClient',
    model: 'test/model/lambda.json',
    // The content type, which is fixed for an event stream.
    special: { ResponseStreamContentType: fc.constant('application/vnd.amazon.eventstream') },
  },
  ...(['rpcv2Cbor', 'awsJson1_0', 'awsQuery'] as const).map((protocol) => ({
    protocol,
    module: cloudwatch,
    client: 'CloudWatchClient',
    model: 'test/model/cloudwatch.json',
    config: CLOUDWATCH_CONFIG[protocol],
  })),
  { protocol: 'awsQuery', module: sts, client: 'STSClient', model: '../svc-sts/model/sts.json' },
  { protocol: 'ec2Query', module: ec2, client: 'EC2Client', model: 'test/model/ec2.json' },
  {
    protocol: 'restXml',
    module: s3,
    client: 'S3Client',
    model: 'test/model/s3.json',
    config: {
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    },
    special: {
      ...Object.fromEntries([...S3_COMPUTED, ...S3_OTHERWISE].map((name) => [name, undefined])),
      // Always present with a body.
      ContentType: fc.constant('text/x-test'),
      // A label of the host.
      RequestRoute: fc.stringMatching(/^[a-z]{1,8}$/),
    },
    added: S3_COMPUTED,
    left: { ListDirectoryBuckets: 'only its host tells it from ListBuckets' },
  },
];

/** Reads the model of a service from a path within this package. */
export const modelOf = (path: string): ServiceModel =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')) as ServiceModel;

/**
 * Returns a client of a service whose requests this package handles.
 * @param seen receives each request as on the wire
 */
export function clientOf(
  service: Service,
  codec: ServiceCodec,
  answer: Answer,
  seen?: (request: WireRequest) => void,
): Client {
  const exported = service.module as Record<string, unknown>;
  return new (exported[service.client] as Constructor<Client>)({
    region: 'us-east-1',
    endpoint: 'http://localhost:4566',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
    requestHandler: requestHandler(codec, answer, seen),
    ...service.config,
  });
}

/** Returns the command class of an operation; undefined if the SDK lacks it. */
export function commandOf(service: Service, operation: string): Constructor<unknown> | undefined {
  return (service.module as Record<string, unknown>)[`${operation}Command`] as Constructor<unknown> | undefined;
}
