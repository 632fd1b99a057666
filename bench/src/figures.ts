import { setTimeout } from 'node:timers/promises';
import { apiGatewayBenchmarks } from './apigateway.ts';
import { bytesPerChange, persistent } from './change-bytes.ts';
import { cloudformationBenchmarks } from './cloudformation.ts';
import { cognitoBenchmarks } from './cognito.ts';
import { type Benchmark, besideBare, compareLoad, type Prepare, withFolder, withServers } from './compare.ts';
import { dynamodbBenchmarks } from './dynamodb.ts';
import { embeddedCreation } from './embedded.ts';
import { enforcement } from './enforcement.ts';
import { eventsBenchmarks } from './events.ts';
import { flagCost } from './flag-cost.ts';
import { frontBenchmarks } from './front.ts';
import { kinesisBenchmarks } from './kinesis.ts';
import { lambdaBenchmarks } from './lambda.ts';
import { logsBenchmarks } from './logs.ts';
import { alternate, type Figure } from './measure.ts';
import { observedBenchmarks } from './observed.ts';
import { call, type LoadRequest, type Server, startBare, startEmu } from './processes.ts';
import {
  cloudwatch,
  createQueue,
  depth,
  fill,
  iam,
  kms,
  receiveAndDelete,
  secretsManager,
  send,
  sendToFreshQueue,
  sqs,
  sts,
} from './requests.ts';
import { s3Benchmarks } from './s3.ts';
import { snsBenchmarks } from './sns.ts';
import { ssmBenchmarks } from './ssm.ts';
import { stepfunctionsBenchmarks } from './stepfunctions.ts';

const RECEIVED = JSON.stringify({
  Messages: [
    {
      MessageId: '5fea7756-0ea4-451a-a703-a558b933e274',
      ReceiptHandle: 'x'.repeat(180),
      MD5OfBody: 'f'.repeat(32),
      Body: 'x'.repeat(100),
    },
  ],
});
const SENT = JSON.stringify({ MD5OfMessageBody: 'f'.repeat(32), MessageId: '5fea7756-0ea4-451a-a703-a558b933e274' });

const IDENTITY = JSON.stringify({
  UserId: '123456789012',
  Account: '123456789012',
  Arn: 'arn:aws:iam::123456789012:root',
});

const USER =
  '<GetUserResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><GetUserResult><User><Path>/</Path><UserName>jane</UserName><UserId>AIDACKCEVSQ6C2EXAMPLE</UserId><Arn>arn:aws:iam::123456789012:user/jane</Arn><CreateDate>2025-01-01T00:00:00Z</CreateDate></User></GetUserResult><ResponseMetadata><RequestId>5fea7756-0ea4-451a-a703-a558b933e274</RequestId></ResponseMetadata></GetUserResponse>';

/** Sends a request for one user. */
const getUser = (): Prepare => {
  let made = false;
  return async (server) => {
    if (!made) await call(server, iam('CreateUser', 'UserName=jane'));
    made = true;
    return [iam('GetUser', 'UserName=jane')];
  };
};

const SECRET = JSON.stringify({
  ARN: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:app/db-AbCdEf',
  Name: 'app/db',
  VersionId: '5fea7756-0ea4-451a-a703-a558b933e274',
  SecretString: '{"user":"admin","password":"hidden"}',
  VersionStages: ['AWSCURRENT'],
  CreatedDate: 1735689600,
});

/** Sends a request for the value of one secret. */
const getSecret = (): Prepare => {
  let made = false;
  return async (server) => {
    const ClientRequestToken = '00000000-0000-4000-8000-000000000000';
    const input = { Name: 'app/db', SecretString: '{"user":"admin","password":"hidden"}', ClientRequestToken };
    if (!made) await call(server, secretsManager('CreateSecret', input));
    made = true;
    return [secretsManager('GetSecretValue', { SecretId: 'app/db' })];
  };
};

/** Puts a value of a metric with two dimensions. */
const putMetric = (): Prepare => async () => [
  cloudwatch('PutMetricData', {
    Namespace: 'Shop',
    MetricData: [
      {
        MetricName: 'Latency',
        Value: 12.5,
        Unit: 'Milliseconds',
        Dimensions: [
          { Name: 'Service', Value: 'orders' },
          { Name: 'Stage', Value: 'test' },
        ],
      },
    ],
  }),
];

const DECRYPTED = JSON.stringify({
  KeyId: 'arn:aws:kms:us-east-1:123456789012:key/5fea7756-0ea4-451a-a703-a558b933e274',
  Plaintext: 'c2VjcmV0',
  EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
});

/** Decrypts one ciphertext of a symmetric key. */
const decrypt = (): Prepare => {
  let CiphertextBlob: string | undefined;
  return async (server) => {
    if (CiphertextBlob === undefined) {
      const { KeyMetadata } = (await call(server, kms('CreateKey', {}))) as { KeyMetadata: { KeyId: string } };
      const encrypted = await call(server, kms('Encrypt', { KeyId: KeyMetadata.KeyId, Plaintext: 'c2VjcmV0' }));
      ({ CiphertextBlob } = encrypted as { CiphertextBlob: string });
    }
    return [kms('Decrypt', { CiphertextBlob })];
  };
};

/** Receives from a queue that never becomes empty. */
const receiveFromFullQueue = (): Prepare => {
  let queue: string | undefined;
  return async (server) => {
    queue ??= await createQueue(server, 'bench');
    if ((await depth(server, queue)) < 150_000) await fill(server, queue, 200_000);
    return receiveAndDelete(queue);
  };
};

const persistentSend: Benchmark = (effort) =>
  withFolder((folder) =>
    withServers([startEmu(...persistent(folder)), startEmu()], async (disk, memory) => {
      const figures = await compareLoad(effort, [disk!, sendToFreshQueue()], [memory!, sendToFreshQueue()]);
      return [
        { name: 'SendMessage, persistent beside memory mode', unit: 'req/s', target: { atLeast: 0.5 }, ...figures },
      ];
    }),
  );

const startUp: Benchmark = async ({ rounds }) => {
  const ready = (start: () => Promise<Server>) => async (): Promise<number> => {
    const server = await start();
    await server.stop();
    return server.readyAfter;
  };
  const figures = await alternate(rounds * 3, ready(startEmu), ready(startBare));
  return [{ name: 'start-up until the first answer', unit: 'ms', target: { atMost: 1.4 }, ...figures }];
};

const idleMemory: Benchmark = async ({ rounds }) => {
  const resident = (start: () => Promise<Server>) => (): Promise<number> =>
    withServers([start()], async (server) => {
      await setTimeout(1000);
      return server!.memory() / 2 ** 20;
    });
  const figures = await alternate(rounds, resident(startEmu), resident(startBare));
  return [{ name: 'idle resident memory', unit: 'MiB', target: { atMost: 1.25 }, ...figures }];
};

const longQueue: Benchmark = (effort) =>
  withServers([startEmu(), startEmu()], async (full, empty) => {
    const [longUrl, shortUrl] = [await createQueue(full!, 'bench'), await createQueue(empty!, 'bench')];
    await fill(full!, longUrl, effort.messages);
    const cycle = (url: string): LoadRequest[] => [send(url), ...receiveAndDelete(url)];
    const figures = await compareLoad(
      effort,
      [full!, async () => cycle(longUrl)],
      [empty!, async () => cycle(shortUrl)],
    );
    const left = await depth(full!, longUrl);
    if (left < effort.messages / 2) throw new Error(`the long queue has only ${left} messages left`);
    const name = `send, receive and delete with ${effort.messages.toLocaleString('en-US')} messages beside an empty queue`;
    return [{ name, unit: 'req/s', target: { atLeast: 0.5 }, ...figures }];
  });

/** Journal bytes of one change of a queue. */
const bytesOf = (messages: number, operation: 'SendMessage' | 'ReceiveMessage'): Promise<number> =>
  bytesPerChange(async (emu) => {
    const url = await createQueue(emu, 'bench');
    await fill(emu, url, messages);
    return () => (operation === 'SendMessage' ? send(url) : sqs('ReceiveMessage', { QueueUrl: url }));
  });

const changeSize: Benchmark = async () => {
  const figures: Figure[] = [];
  for (const operation of ['SendMessage', 'ReceiveMessage'] as const) {
    const figure = await alternate(
      1,
      () => bytesOf(100_000, operation),
      () => bytesOf(100, operation),
    );
    const name = `bytes written by one ${operation}, with 100,000 messages beside 100`;
    figures.push({ name, unit: 'bytes', target: { atMost: 1.1 }, ...figure });
  }
  return figures;
};

/** All benchmarks by command line name. */
export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  send: besideBare('SQS SendMessage', SENT, sendToFreshQueue, 0.69),
  receive: besideBare('SQS ReceiveMessage and DeleteMessage', RECEIVED, receiveFromFullQueue),
  identity: besideBare('STS GetCallerIdentity', IDENTITY, () => async () => [sts('GetCallerIdentity')], 0.65),
  user: besideBare('IAM GetUser', USER, getUser, 0.4),
  metric: besideBare('CloudWatch PutMetricData', '{}', putMetric, 0.4),
  secret: besideBare('Secrets Manager GetSecretValue', SECRET, getSecret, 0.4),
  decrypt: besideBare('KMS Decrypt (symmetric)', DECRYPTED, decrypt, 0.4),
  persistent: persistentSend,
  startup: startUp,
  memory: idleMemory,
  'long-queue': longQueue,
  'change-size': changeSize,
  embedded: embeddedCreation,
  enforcement,
  'quota-cost': flagCost('--enforce-quotas'),
  'recorder-cost': flagCost('--record-requests'),
  ...dynamodbBenchmarks,
  ...lambdaBenchmarks,
  ...s3Benchmarks,
  ...kinesisBenchmarks,
  ...logsBenchmarks,
  ...stepfunctionsBenchmarks,
  ...cognitoBenchmarks,
  ...ssmBenchmarks,
  ...cloudformationBenchmarks,
  ...observedBenchmarks,
  ...snsBenchmarks,
  ...eventsBenchmarks,
  ...apiGatewayBenchmarks,
  ...frontBenchmarks,
};
