import { logWriter, parseArn, type StateScope } from '@emu/core/service';
import type { Fields } from './fields.ts';

/** Characters of a line of an execution log. */
const LONGEST = 1024;

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number): string => String(number).padStart(2, '0');

/** As Java prints a time, e.g. `Tue Nov 24 10:11:12 UTC 2026`. */
function javaDate(at: number): string {
  const date = new Date(at);
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const day = `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${two(date.getUTCDate())}`;
  return `${day} ${time} UTC ${date.getUTCFullYear()}`;
}

/** Whether a line is a step, headers or a body, or tells what went wrong. */
type LineKind = 'step' | 'data' | 'error';

/** A text of which only the end is logged. */
export const masked = (text: string): string => `${'*'.repeat(Math.max(0, text.length - 6))}${text.slice(-6)}`;

/** Headers as they are logged: of signatures, tokens and API keys only the end. */
export function withoutSecrets(headers: Fields): Record<string, string> {
  const shown = headers.joined();
  for (const [name, value] of Object.entries(shown))
    if (/^(?:authorization|x-api-key)$/i.test(name)) shown[name] = masked(value);
  return shown;
}

/** What an API does for one request or message, line by line, as far as somebody wants to know. */
export class ExecutionLog {
  readonly lines: { readonly at: number; readonly text: string; readonly kind: LineKind }[] = [];

  /**
   * @param on whether anybody reads it
   * @param now the emulated time
   */
  constructor(
    readonly on: boolean,
    private readonly now: () => number,
  ) {}

  /** @param text made only where it is read; long ones are cut */
  add(text: () => string, error = false): void {
    this.push(text, error ? 'error' : 'step');
  }

  /** Adds headers or a body, which are logged only where data are traced. @param text made only where it is read */
  data(text: () => string): void {
    this.push(text, 'data');
  }

  private push(text: () => string, kind: LineKind): void {
    if (!this.on) return;
    const line = text();
    this.lines.push({
      at: this.now(),
      text: line.length > LONGEST ? `${line.slice(0, LONGEST)} [TRUNCATED]` : line,
      kind,
    });
  }

  /** Adds what an endpoint is sent. @param body as it is sent */
  request(uri: string, headers: Fields, body: Buffer | string | undefined): void {
    this.data(() => `Endpoint request URI: ${uri}`);
    this.data(() => `Endpoint request headers: ${javaMap(withoutSecrets(headers))}`);
    this.data(() => `Endpoint request body after transformations: ${body?.toString() ?? ''}`);
    this.add(() => `Sending request to ${uri}`);
  }

  /** Adds what an endpoint answered. @param latency milliseconds; @param body undefined where it is streamed */
  response(status: number, latency: number, headers: Fields, body: Buffer | string | undefined): void {
    this.add(() => `Received response. Status: ${status}, Integration latency: ${latency} ms`);
    this.data(() => `Endpoint response headers: ${javaMap(headers.joined())}`);
    if (body !== undefined) this.data(() => `Endpoint response body before transformations: ${body.toString()}`);
  }

  /** The lines that a stage's settings ask for. @param level e.g. `INFO`; @param traced whether with headers and bodies */
  written(level: string | undefined, traced: boolean | undefined): { at: number; text: string }[] {
    if (level !== 'INFO' && level !== 'ERROR') return [];
    return this.lines.filter(({ kind }) => kind === 'error' || (level === 'INFO' && (traced || kind === 'step')));
  }

  /** The log of a test invocation, as AWS writes it. */
  text(requestId: string): string {
    const lines = this.lines.map(({ at, text }) => `${javaDate(at)} : ${text}\n`);
    return `Execution log for request ${requestId}\n${lines.join('')}`;
  }
}

/** A map as Java prints it. */
export const javaMap = (values: Readonly<Record<string, string | readonly string[]>>): string =>
  `{${Object.entries(values)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : value.join(',')}`)
    .join(', ')}}`;

/**
 * Writes a line of a stage's access log.
 * @param destination ARN of a log group, or of a stream of Firehose
 * @param stream of the log group
 * @param cause id of the request that is logged
 */
export async function writeAccessLine(
  scope: Pick<StateScope, 'service' | 'call'>,
  {
    destination,
    stream,
    line,
    at,
    cause,
  }: { destination: string; stream: string; line: string; at: number; cause: string },
): Promise<void> {
  const arn = parseArn(destination);
  if (!arn) return;
  const { accountId, region } = arn;
  if (arn.service === 'firehose') {
    const DeliveryStreamName = arn.resource.split('/')[1] ?? '';
    const Record = { Data: Buffer.from(`${line}\n`) };
    await scope.call('firehose', 'PutRecord', { DeliveryStreamName, Record }, { accountId, region, cause });
    return;
  }
  const group = /^log-group:([^:]+)/.exec(arn.resource)?.[1];
  const writer = group === undefined ? undefined : await scope.service.capability(logWriter);
  if (group !== undefined)
    await writer?.write({ accountId, region, group, stream }, [{ timestamp: at, message: line }]);
}

/**
 * Writes what a stage's settings ask for of an execution log.
 * @param place where it goes
 * @param requestId with which each line begins
 */
export async function writeExecutionLog(
  scope: Pick<StateScope, 'service'>,
  place: { accountId: string; region: string; group: string; stream: string },
  requestId: string,
  lines: readonly { readonly at: number; readonly text: string }[],
): Promise<void> {
  const writer = lines.length > 0 ? await scope.service.capability(logWriter) : undefined;
  await writer?.write(
    place,
    lines.map(({ at, text }) => ({ timestamp: at, message: `(${requestId}) ${text}` })),
  );
}

/** Name of the stream of a stage's logs in a group. */
export const logStreamOf = (apiId: string, stage: string): string =>
  Buffer.from(`${apiId}/${stage}`).toString('hex').padEnd(32, '0').slice(0, 32);
