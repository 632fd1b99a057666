import type { Fields } from '@emu/apigateway-common';

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

/** Headers as they are logged: signatures are not. */
function withoutSecrets(headers: Fields): Record<string, string> {
  const shown = headers.joined();
  for (const [name, value] of Object.entries(shown))
    if (/^authorization$/i.test(name)) shown[name] = `${'*'.repeat(Math.max(0, value.length - 6))}${value.slice(-6)}`;
  return shown;
}

/** What an API does for one request, line by line, as far as somebody wants to know. */
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
