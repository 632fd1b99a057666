import { logWriter, parseArn, type StateScope } from '@emu/core/service';
import type { Fields } from './fields.ts';

/** Maximum characters of a line in an execution log. */
const MAX_LENGTH = 1024;

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number): string => String(number).padStart(2, '0');

/** Formats a time as Java does, for example `Tue Nov 24 10:11:12 UTC 2026`. */
function javaDate(at: number): string {
  const date = new Date(at);
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const day = `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${two(date.getUTCDate())}`;
  return `${day} ${time} UTC ${date.getUTCFullYear()}`;
}

/** Kind of a line: a step, headers or a body, or an error. */
type LineKind = 'step' | 'data' | 'error';

/** Masks a text except its end. */
export const masked = (text: string): string => `${'*'.repeat(Math.max(0, text.length - 6))}${text.slice(-6)}`;

/** Returns headers for logs, with masked signatures, tokens and API keys. */
export function withoutSecrets(headers: Fields): Record<string, string> {
  const shown = headers.joined();
  for (const [name, value] of Object.entries(shown))
    if (/^(?:authorization|x-api-key)$/i.test(name)) shown[name] = masked(value);
  return shown;
}

/** Execution log of one request or message; lines are only created if needed. */
export class ExecutionLog {
  readonly lines: { readonly at: number; readonly text: string; readonly kind: LineKind }[] = [];

  /**
   * @param on whether the log is used
   * @param now the emulated time
   */
  constructor(
    readonly on: boolean,
    private readonly now: () => number,
  ) {}

  /**
   * Adds a line.
   * @param text evaluated only if the log is used; long lines are cut
   */
  add(text: () => string, error = false): void {
    this.push(text, error ? 'error' : 'step');
  }

  /**
   * Adds headers or a body, which are only logged with data tracing.
   * @param text evaluated only if the log is used
   */
  data(text: () => string): void {
    this.push(text, 'data');
  }

  private push(text: () => string, kind: LineKind): void {
    if (!this.on) return;
    const line = text();
    this.lines.push({
      at: this.now(),
      text: line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)} [TRUNCATED]` : line,
      kind,
    });
  }

  /**
   * Adds the request to an endpoint.
   * @param body as sent
   */
  request(uri: string, headers: Fields, body: Buffer | string | undefined): void {
    this.data(() => `Endpoint request URI: ${uri}`);
    this.data(() => `Endpoint request headers: ${javaMap(withoutSecrets(headers))}`);
    this.data(() => `Endpoint request body after transformations: ${body?.toString() ?? ''}`);
    this.add(() => `Sending request to ${uri}`);
  }

  /**
   * Adds the response of an endpoint.
   * @param latency milliseconds
   * @param body undefined if streamed
   */
  response(status: number, latency: number, headers: Fields, body: Buffer | string | undefined): void {
    this.add(() => `Received response. Status: ${status}, Integration latency: ${latency} ms`);
    this.data(() => `Endpoint response headers: ${javaMap(headers.joined())}`);
    if (body !== undefined) this.data(() => `Endpoint response body before transformations: ${body.toString()}`);
  }

  /**
   * Returns the lines selected by a stage's settings.
   * @param level for example `INFO`
   * @param traced whether to include headers and bodies
   */
  written(level: string | undefined, traced: boolean | undefined): { at: number; text: string }[] {
    if (level !== 'INFO' && level !== 'ERROR') return [];
    return this.lines.filter(({ kind }) => kind === 'error' || (level === 'INFO' && (traced || kind === 'step')));
  }

  /** Returns the log of a test invocation, in AWS's format. */
  text(requestId: string): string {
    const lines = this.lines.map(({ at, text }) => `${javaDate(at)} : ${text}\n`);
    return `Execution log for request ${requestId}\n${lines.join('')}`;
  }
}

/** Formats a map as Java does. */
export const javaMap = (values: Readonly<Record<string, string | readonly string[]>>): string =>
  `{${Object.entries(values)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : value.join(',')}`)
    .join(', ')}}`;

/**
 * Writes a line to a stage's access log.
 * @param destination ARN of a log group or a Firehose stream
 * @param stream of the log group
 * @param cause id of the logged request
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
 * Writes the execution log lines selected by a stage's settings.
 * @param place destination
 * @param requestId prefix of each line
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

/** Returns the log stream name of a stage. */
export const logStreamOf = (apiId: string, stage: string): string =>
  Buffer.from(`${apiId}/${stage}`).toString('hex').padEnd(32, '0').slice(0, 32);
