import type { Prepare } from './compare.ts';
import type { LoadRequest, Server } from './processes.ts';
import { call } from './processes.ts';

const signed = (service: string): string =>
  `AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/${service}/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`;

/** Returns a request of SQS's JSON protocol with the headers of an SDK. */
export const sqs = (operation: string, input: object): LoadRequest => ({
  headers: {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `AmazonSQS.${operation}`,
    'x-amz-date': '20250101T000000Z',
    authorization: signed('sqs'),
  },
  body: JSON.stringify(input),
});

/** Returns a request of DynamoDB with the headers of an SDK. */
export const dynamodb = (operation: string, input: object): LoadRequest => ({
  headers: {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    'x-amz-date': '20250101T000000Z',
    authorization: signed('dynamodb'),
  },
  body: JSON.stringify(input),
});

/** Returns a request of DynamoDB Streams. */
export const dynamodbStreams = (operation: string, input: object): LoadRequest => {
  const { headers, body } = dynamodb(operation, input);
  return { headers: { ...headers, 'x-amz-target': `DynamoDBStreams_20120810.${operation}` }, body };
};

/** Returns a request of KMS. */
export const kms = (operation: string, input: object): LoadRequest => ({
  headers: {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `TrentService.${operation}`,
    'x-amz-date': '20250101T000000Z',
    authorization: signed('kms'),
  },
  body: JSON.stringify(input),
});

/** Returns a request of Cognito user pools, signed unless it is an operation for users. */
export const cognitoIdp = (operation: string, input: object, isOfUser = false): LoadRequest => ({
  headers: {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    'x-amz-date': '20250101T000000Z',
    ...(!isOfUser && { authorization: signed('cognito-idp') }),
  },
  body: JSON.stringify(input),
});

/** Returns a request of Kinesis. */
export const kinesis = (operation: string, input: object): LoadRequest => ({
  headers: {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `Kinesis_20131202.${operation}`,
    'x-amz-date': '20250101T000000Z',
    authorization: signed('kinesis'),
  },
  body: JSON.stringify(input),
});

/** Returns a request of Step Functions. */
export const states = (operation: string, input: object): LoadRequest => ({
  headers: {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `AWSStepFunctions.${operation}`,
    'x-amz-date': '20250101T000000Z',
    authorization: signed('states'),
  },
  body: JSON.stringify(input),
});

/** Returns a request of Secrets Manager. */
export const secretsManager = (operation: string, input: object): LoadRequest => ({
  headers: {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `secretsmanager.${operation}`,
    'x-amz-date': '20250101T000000Z',
    authorization: signed('secretsmanager'),
  },
  body: JSON.stringify(input),
});

/** Returns a request of Systems Manager. */
export const ssm = (operation: string, input: object): LoadRequest => ({
  headers: {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AmazonSSM.${operation}`,
    'x-amz-date': '20250101T000000Z',
    authorization: signed('ssm'),
  },
  body: JSON.stringify(input),
});

/** Returns a request of CloudWatch's JSON protocol. */
export const cloudwatch = (operation: string, input: object): LoadRequest => ({
  headers: {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `GraniteServiceVersion20100801.${operation}`,
    'x-amz-date': '20250101T000000Z',
    authorization: signed('monitoring'),
  },
  body: JSON.stringify(input),
});

/** Returns a request of STS's query protocol. */
export const sts = (operation: string): LoadRequest => ({
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    'x-amz-date': '20250101T000000Z',
    authorization: signed('sts'),
  },
  body: `Action=${operation}&Version=2011-06-15`,
});

/** Returns a request of IAM's query protocol. @param parameters members, e.g. `UserName=jane` */
export const iam = (operation: string, parameters: string): LoadRequest => ({
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    'x-amz-date': '20250101T000000Z',
    authorization: signed('iam'),
  },
  body: `Action=${operation}&Version=2010-05-08&${parameters}`,
});

/** Creates a queue and returns its URL. */
export const createQueue = async (server: Server, QueueName: string): Promise<string> =>
  (await call(server, sqs('CreateQueue', { QueueName }))).QueueUrl as string;

const BODY = 'x'.repeat(100);

/** Sends a message of 100 bytes. */
export const send = (QueueUrl: string): LoadRequest => sqs('SendMessage', { QueueUrl, MessageBody: BODY });

/** Sends to a new queue in each round, so that every round starts with the same memory. */
export const sendToFreshQueue = (): Prepare => {
  let queue: string | undefined;
  let round = 0;
  return async (server) => {
    if (queue !== undefined) await call(server, sqs('DeleteQueue', { QueueUrl: queue }));
    queue = await createQueue(server, `bench-${++round}`);
    return [send(queue)];
  };
};

/** Receives a message and deletes it. */
export const receiveAndDelete = (QueueUrl: string): LoadRequest[] => [
  sqs('ReceiveMessage', { QueueUrl }),
  sqs('DeleteMessage', { QueueUrl, ReceiptHandle: '$receipt' }),
];

/** Puts messages into a queue, ten per request and a few requests concurrently. */
export async function fill(server: Server, QueueUrl: string, messages: number): Promise<void> {
  const batch = sqs('SendMessageBatch', {
    QueueUrl,
    Entries: Array.from({ length: 10 }, (_, index) => ({ Id: String(index), MessageBody: BODY })),
  });
  let left = Math.ceil(messages / 10);
  const sender = async (): Promise<void> => {
    while (left-- > 0) await call(server, batch);
  };
  await Promise.all(Array.from({ length: 8 }, sender));
}

/** Returns the number of messages in a queue, including invisible and delayed ones. */
export async function depth(server: Server, QueueUrl: string): Promise<number> {
  const answer = await call(server, sqs('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] }));
  return Object.entries(answer.Attributes as Record<string, string>)
    .filter(([name]) => name.startsWith('ApproximateNumberOfMessages'))
    .reduce((sum, [, count]) => sum + Number(count), 0);
}
