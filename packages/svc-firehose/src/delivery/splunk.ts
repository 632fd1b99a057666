import { post } from '../destinations/outgoing.ts';
import { asRole } from '../destinations/s3.ts';
import type { RecordResults, ServiceDelivery } from './service.ts';

/** Milliseconds between polls for indexing acknowledgements. */
const POLL = 10_000;

interface Own {
  readonly HECEndpoint: string;
  readonly HECEndpointType: 'Event' | 'Raw';
  readonly HECToken?: string;
  readonly HECAcknowledgmentTimeoutInSeconds: number;
  readonly SecretsManagerConfiguration?: { Enabled?: boolean; SecretARN?: string; RoleARN?: string };
}

/** Firehose's error codes by Splunk's response codes. */
const CODES: Readonly<Record<number, readonly [code: string, final: boolean]>> = {
  1: ['Splunk.DisabledToken', false],
  3: ['Splunk.InvalidToken', false],
  4: ['Splunk.InvalidToken', false],
  5: ['Splunk.InvalidDataFormat', true],
  6: ['Splunk.InvalidDataFormat', true],
  7: ['Splunk.InvalidIndex', false],
  14: ['Splunk.DisabledAck', false],
};

/**
 * Sends records to Splunk's HTTP Event Collector, and waits for the indexing acknowledgement.
 * @see https://docs.aws.amazon.com/firehose/latest/dev/create-destination.html#create-destination-splunk
 */
export async function sendEvents(delivery: ServiceDelivery): Promise<RecordResults> {
  const { destination, batch, pieces } = delivery;
  const own = destination.own as unknown as Own;
  const all = (code: string, message: string, final = false): RecordResults =>
    pieces.map((_, index) => ({ code, message, final, more: { EventId: `${batch.id}.${batch.keys[index]}` } }));
  const base = own.HECEndpoint.replace(/\/$/, '');
  const path = own.HECEndpointType === 'Raw' ? 'raw' : 'event';
  try {
    const headers = {
      authorization: `Splunk ${await tokenOf(delivery, own)}`,
      'content-type': 'application/json',
      'x-splunk-request-channel': batch.id,
    };
    const body = Buffer.concat(pieces.map(({ data }) => Buffer.from(data, 'base64')));
    const { status, text } = await post(
      delivery.state.names,
      `${base}/services/collector/${path}?channel=${batch.id}`,
      headers,
      body,
    );
    const answer = parsed(text);
    if (status === 404) return all('Splunk.URLNotFound', text);
    if (status === 413) return all('Splunk.ServerError.ContentTooLarge', text, true);
    if (status !== 200) {
      const [code, final] = CODES[Number(answer.code)] ?? ['Splunk.ServerError', false];
      return all(code, String(answer.text ?? text), final);
    }
    const { ackId } = answer;
    if (typeof ackId !== 'number') return all('Splunk.DisabledAck', 'The HEC token has no indexer acknowledgement.');
    const isIndexed = async (): Promise<boolean> => {
      const url = `${base}/services/collector/ack?channel=${batch.id}`;
      const answer = await post(delivery.state.names, url, headers, Buffer.from(JSON.stringify({ acks: [ackId] })));
      return (parsed(answer.text).acks as Record<string, boolean> | undefined)?.[ackId] === true;
    };
    if (await acknowledged(delivery, own.HECAcknowledgmentTimeoutInSeconds * 1000, isIndexed))
      return pieces.map(() => undefined);
    return all('Splunk.AckTimeout', 'No acknowledgement of the events came in time.');
  } catch (error) {
    return all('Splunk.ConnectionTimeout', (error as Error).message);
  }
}

/**
 * Polls until acknowledged or timed out.
 * @param time milliseconds
 */
async function acknowledged({ state }: ServiceDelivery, time: number, ask: () => Promise<boolean>): Promise<boolean> {
  const end = state.clock.now() + time;
  while (!(await ask())) {
    const left = end - state.clock.now();
    if (left <= 0) return false;
    await new Promise<void>((resolve) => {
      state.clock.after(Math.min(POLL, left), () => resolve());
    });
  }
  return true;
}

/**
 * Returns the token, which may be in a secret's `hec_token`.
 * @throws AwsError of Secrets Manager
 */
async function tokenOf({ state, stream, destination }: ServiceDelivery, own: Own): Promise<string | undefined> {
  const { Enabled, SecretARN, RoleARN = destination.settings.RoleARN } = own.SecretsManagerConfiguration ?? {};
  if (!Enabled) return own.HECToken;
  const options = RoleARN === undefined ? {} : asRole(RoleARN, stream);
  const input = { SecretId: SecretARN! };
  const { SecretString = '{}' } = await state.call('secretsmanager', 'GetSecretValue', input, options);
  return (JSON.parse(SecretString) as { hec_token?: string }).hec_token;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}
