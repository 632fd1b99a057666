import { Agent, request } from 'node:http';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { LoadRequest } from './processes.ts';
import { dynamodb, dynamodbStreams, kms, sqs, sts } from './requests.ts';

/** Timeout of a request in milliseconds. */
const TIMEOUT = 30_000;
const TABLE = 'soak';
const QUEUES = 8;

type Json = Record<string, unknown>;

/** Mixed requests of many concurrent clients, which record the expected data. */
export class SoakTraffic {
  /** Latencies in microseconds since the last sample. */
  latency: RecordableHistogram = createHistogram();
  requests = 0;
  /** The first few failures. */
  readonly failures: string[] = [];
  failed = 0;
  /** Acknowledged messages that have not been received. */
  private readonly outstanding = new Set<string>();
  /** Messages received before the response to their sender. */
  private readonly early = new Set<string>();
  /** Acknowledged and requested value of each client's item. */
  private readonly items = new Map<number, { acknowledged: number; sent: number }>();
  /** KMS key that all clients use. */
  private keyId = '';
  private readonly agent: Agent;
  /** Number of sent messages. */
  sent = 0;

  constructor(
    private url: string,
    private readonly clients: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: clients });
  }

  /** Creates the queues, the table and the key. */
  async prepare(): Promise<void> {
    for (let queue = 0; queue < QUEUES; queue++) await this.call(sqs('CreateQueue', { QueueName: `soak-${queue}` }));
    await this.call(
      dynamodb('CreateTable', {
        TableName: TABLE,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      }),
    );
    this.keyId = ((await this.call(kms('CreateKey', {}))).KeyMetadata as { KeyId: string }).KeyId;
  }

  /** Runs all clients, each with sequential requests, until a time of `performance.now()`. */
  async run(until: number): Promise<void> {
    await Promise.all(Array.from({ length: this.clients }, (_, client) => this.client(client, until)));
  }

  /** Continues with another emulator. */
  moveTo(url: string): void {
    this.url = url;
  }

  /** Returns lost data as sentences, after emptying the queues. */
  async losses(): Promise<string[]> {
    for (let queue = 0; queue < QUEUES; queue++) await this.drain(queue);
    const lost = [...this.outstanding].map((message) => `message ${message} was acknowledged and is lost`);
    for (const [client, { acknowledged, sent }] of this.items) {
      const { Item } = await this.call(
        dynamodb('GetItem', { TableName: TABLE, Key: { id: { S: `client-${client}` } }, ConsistentRead: true }),
      );
      const value = Number((Item as { n?: { N: string } } | undefined)?.n?.N ?? 0);
      if (value < acknowledged || value > sent)
        lost.push(`item of client ${client} is ${value}, acknowledged ${acknowledged}, asked for ${sent}`);
    }
    return lost;
  }

  close(): void {
    this.agent.destroy();
  }

  private async client(client: number, until: number): Promise<void> {
    const id = { id: { S: `client-${client}` } };
    const item = { acknowledged: 0, sent: 0 };
    this.items.set(client, item);
    for (let round = 0; performance.now() < until; round++) {
      const queue = (client + round) % QUEUES;
      await this.try(() => this.send(queue, `${client}/${round}`));
      await this.try(() => this.receive(queue));
      await this.try(async () => {
        const n = ++item.sent;
        const update = { UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': { N: String(n) } } };
        await this.call(dynamodb('UpdateItem', { TableName: TABLE, Key: id, ...update }));
        item.acknowledged = n;
      });
      await this.try(() => this.call(dynamodb('GetItem', { TableName: TABLE, Key: id })));
      await this.try(() => this.call(sts('GetCallerIdentity')));
      await this.try(() => this.call(dynamodbStreams('ListStreams', {})));
      await this.try(() => this.encrypt(`${client}/${round}`));
    }
  }

  private async try(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.failed++;
      if (this.failures.length < 10) this.failures.push((error as Error).message);
    }
  }

  /** Encrypts a text and decrypts it again. */
  private async encrypt(text: string): Promise<void> {
    const Plaintext = Buffer.from(text).toString('base64');
    const { CiphertextBlob } = await this.call(kms('Encrypt', { KeyId: this.keyId, Plaintext }));
    const decrypted = await this.call(kms('Decrypt', { CiphertextBlob }));
    if (decrypted.Plaintext !== Plaintext) throw new Error(`${text} was decrypted to ${String(decrypted.Plaintext)}`);
  }

  private async send(queue: number, message: string): Promise<void> {
    this.sent++;
    await this.call(sqs('SendMessage', { QueueUrl: this.queueUrl(queue), MessageBody: message }));
    if (!this.early.delete(message)) this.outstanding.add(message);
  }

  /** Receives and deletes some messages. Resolves to their number. */
  private async receive(queue: number): Promise<number> {
    const QueueUrl = this.queueUrl(queue);
    // Invisible for longer than the soak, so that nothing arrives twice.
    const input = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 43_200 };
    const { Messages = [] } = (await this.call(sqs('ReceiveMessage', input))) as {
      Messages?: { Body: string; ReceiptHandle: string }[];
    };
    for (const { Body } of Messages) if (!this.outstanding.delete(Body)) this.early.add(Body);
    if (Messages.length) {
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await this.call(sqs('DeleteMessageBatch', { QueueUrl, Entries }));
    }
    return Messages.length;
  }

  /** Limited to the possible number of messages. */
  private async drain(queue: number): Promise<void> {
    for (let round = 0; round <= this.sent; round++) if (!(await this.receive(queue))) return;
  }

  private queueUrl(queue: number): string {
    return `${this.url}/123456789012/soak-${queue}`;
  }

  /** Sends one request. @throws Error for an unsuccessful response */
  private call({ headers, body }: LoadRequest): Promise<Json> {
    const start = performance.now();
    return new Promise<Json>((resolve, reject) => {
      const call = request(this.url, { method: 'POST', headers, agent: this.agent, timeout: TIMEOUT }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('error', reject);
        response.once('end', () => {
          this.requests++;
          this.latency.record(Math.max(1, Math.round((performance.now() - start) * 1000)));
          if (response.statusCode !== 200) reject(new Error(`${response.statusCode} ${text}`));
          else resolve(text.startsWith('{') ? (JSON.parse(text) as Json) : {});
        });
      });
      call.once('timeout', () => call.destroy(new Error(`no answer within ${TIMEOUT} ms`)));
      call.once('error', reject);
      call.end(body);
    });
  }
}
