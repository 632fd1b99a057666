import { createHash } from 'node:crypto';
import type { MemberModel, ServiceModel, Shape } from '@emu/wire';
import { type Probe, probesOf } from './probes.ts';
import type { Scenario } from './scenario.ts';
import type { SdkRequest } from './sdk.ts';
import { type Attempt, Stages } from './starts.ts';
import { sampleOf } from './values.ts';

/** Number in place of a hostile one while the SDK writes a request. As seconds it is a time in 2001. */
const PLACEHOLDER = 987_654_321;
const PLACEHOLDER_DATE = new Date(PLACEHOLDER * 1000);
/** The placeholder as it appears in requests: in CBOR, as a number, and as dates. */
const PLACEHOLDER_CBOR = Buffer.from([0x1a, 0x3a, 0xde, 0x68, 0xb1]);

/** Numbers as text on the wire. */
const NUMBERS = ['0', '-1', '2147483647', '2147483648', '9223372036854775807', '1e20', 'NaN'];
/** Times as seconds and as dates. */
const TIMES: readonly (readonly [seconds: string, date: string])[] = [
  ['0', '1970-01-01T00:00:00Z'],
  ['-62135596800', '0001-01-01T00:00:00Z'],
  ['253402300799', '9999-12-31T23:59:59Z'],
  ['8640000000001', '+275760-09-13T00:00:01Z'],
  ['1e20', '99999-01-01T00:00:00Z'],
];
/** Elements of lists and entries of maps without a maximum in the model. */
const MANY = 20_000;

/** Milliseconds within which every request is answered, with the describing operations after it, on a busy machine. */
const PATIENCE = 5000;
/**
 * Bytes by which the process may grow during one request. Garbage of the client and the emulator, which share the process,
 * comes to 150 MB for lists of 20,000 structures; 2^31 elements of anything need more than 2 GB.
 */
const MAX_GROWTH = 512 * 1024 * 1024;

/** An error decoded by the SDK. */
type SdkError = Error & { $metadata?: { httpStatusCode?: number } };

/** A request with an extreme size. */
interface Oversized {
  name: string;
  input: Record<string, unknown>;
  /** Text in place of the placeholder; undefined if the input has none. */
  text?: string;
  date?: string;
}

/** Sends extreme sizes in every number, time, list and map of every operation; returns the failures as sentences. */
export async function oversized(scenario: Scenario): Promise<string[]> {
  const problems: string[] = [];
  await using stages = await Stages.open(scenario);
  for (const operation of stages.operations) {
    const start = await stages.startOf(operation);
    let attempt: Attempt = await start.shared();
    let requests = await requestsOf(scenario, operation, attempt);
    for (let index = 0; index < requests.length; index++) {
      const request = requests[index]!;
      const { problem, succeeded } = await send(scenario, attempt, operation, request);
      if (problem !== undefined) problems.push(`${scenario.service} ${operation} ${request.name}: ${problem}`);
      if (!succeeded) continue;
      attempt = await start.shared();
      requests = await requestsOf(scenario, operation, attempt);
    }
  }
  return problems;
}

const isNumber = ({ type }: Shape): boolean => ['integer', 'long', 'float', 'double'].includes(type);

async function requestsOf({ model, inputs }: Scenario, operation: string, { facts }: Attempt): Promise<Oversized[]> {
  const base = inputs[operation]?.(facts) ?? {};
  return (await probesOf(model, operation, base)).flatMap((probe) => requestsOfMember(model, probe));
}

function requestsOfMember(model: ServiceModel, { member, model: use, put }: Probe): Oversized[] {
  const shape = model.shapes[use.shape]!;
  const numbers = (value: unknown): Oversized[] =>
    NUMBERS.map((text) => ({ name: `${member}=${text}`, input: put(value), text }));
  if (isNumber(shape)) return numbers(PLACEHOLDER);
  if (shape.type === 'timestamp')
    return TIMES.map(([text, date]) => ({ name: `${member}=${date}`, input: put(PLACEHOLDER_DATE), text, date }));
  if (shape.type !== 'list' && shape.type !== 'map') return [];
  const sample = sampleOf(model, use);
  if (sample === undefined) return [];
  const found: Oversized[] = [];
  const marked = withPlaceholder(model, use, sample);
  if (marked !== undefined) found.push(...numbers(marked));
  if (shape.max === undefined && use.location === undefined)
    found.push({ name: `${member} of ${MANY}`, input: put(many(model, shape, sample)) });
  return found;
}

function many(model: ServiceModel, shape: Shape, sample: unknown): unknown {
  if (shape.type === 'list')
    return Array.from({ length: MANY }, (_, index) => distinct(model, shape.member!, (sample as unknown[])[0], index));
  const [[key, value]] = Object.entries(sample as Record<string, unknown>) as [[string, unknown]];
  return Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`${key}${index}`, value]));
}

/** Returns an element with an index in its texts, except those of enums. */
function distinct(model: ServiceModel, { shape: name }: MemberModel, value: unknown, index: number): unknown {
  const shape = model.shapes[name]!;
  if (shape.type === 'string' && !shape.enum) return `${String(value)}${index}`;
  if (shape.type !== 'structure' || shape.document) return value;
  const entries = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(entries.map(([key, one]) => [key, distinct(model, shape.members![key]!, one, index)]));
}

/** Returns a list or map of numbers, also in structures of a map, with the placeholder in place of each. */
function withPlaceholder(model: ServiceModel, use: MemberModel, value: unknown): unknown {
  const shape = model.shapes[use.shape]!;
  if (isNumber(shape)) return PLACEHOLDER;
  if (shape.type === 'list') {
    const element = withPlaceholder(model, shape.member!, (value as unknown[])[0]);
    return element === undefined || model.shapes[shape.member!.shape]!.type === 'structure' ? undefined : [element];
  }
  if (shape.type === 'map') {
    const [[key, held]] = Object.entries(value as Record<string, unknown>) as [[string, unknown]];
    const marked = withPlaceholder(model, shape.value!, held);
    return marked === undefined ? undefined : { [key]: marked };
  }
  if (shape.type !== 'structure' || shape.document) return undefined;
  const numeric = Object.entries(shape.members ?? {}).filter(([, { shape: name }]) => isNumber(model.shapes[name]!));
  if (!numeric.length) return undefined;
  return { ...(value as object), ...Object.fromEntries(numeric.map(([name]) => [name, PLACEHOLDER])) };
}

/** Sends a request, and reads the state after a success. */
async function send(
  scenario: Scenario,
  { stage, facts }: Attempt,
  operation: string,
  { input, text, date }: Oversized,
): Promise<{ succeeded: boolean; problem?: string }> {
  const start = performance.now();
  const resident = process.memoryUsage.rss();
  let succeeded = false;
  let problem: string | undefined;
  stage.rewrite = text === undefined ? undefined : (request) => rewritten(request, text, date);
  try {
    await stage.send(operation, input);
    succeeded = true;
    stage.rewrite = undefined;
    await scenario.observe(stage.send, facts);
  } catch (error) {
    problem = scenario.declines?.(error as SdkError) ? undefined : problemOf(error as SdkError);
  } finally {
    stage.rewrite = undefined;
  }
  const took = performance.now() - start;
  const growth = process.memoryUsage.rss() - resident;
  if (took > PATIENCE) problem ??= `took ${Math.round(took)} ms`;
  if (growth > MAX_GROWTH) problem ??= `took ${Math.round(growth / 1024 / 1024)} MB of memory`;
  return { succeeded, ...(problem !== undefined && { problem }) };
}

/** Returns the reason why an error of the client is not an error of the request; undefined if it is one. */
function problemOf({ $metadata: metadata, name, message, stack }: SdkError): string | undefined {
  const status = metadata?.httpStatusCode;
  if (status === undefined) return `was not answered: ${stack}`;
  return status >= 500 && status !== 501 ? `answered ${status} ${name}: ${message}` : undefined;
}

/** Returns a request with another number or date in place of the placeholder, and with fitting checksums. */
function rewritten(request: SdkRequest, number: string, date: string | undefined): SdkRequest {
  const isJson = /json/.test(request.headers['content-type'] ?? '');
  const plain = (text: string): string => {
    const dated = date === undefined ? text : text.replaceAll(/2001-04-19T04(:|%3A)25\1 ?21(?:\.000)?Z/g, date);
    return dated.replaceAll(/\b987654321(?:\.0)?\b/g, number);
  };
  const inBody = (text: string): string => {
    if (!isJson || number !== 'NaN') return plain(text);
    return plain(text.replaceAll(/\b987654321\b/g, '"NaN"'));
  };
  const { body } = request;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (!/^x-amz-checksum-|^x-amz-sdk-checksum|^content-length$|^content-md5$/i.test(name))
      headers[name] = plain(value);
  const query = Object.fromEntries(
    Object.entries(request.query ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? plain(value) : value,
    ]),
  );
  const copy = Object.assign(Object.create(Object.getPrototypeOf(request)), request, {
    headers,
    query,
    path: plain(request.path),
  });
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    return Object.assign(copy, { headers: request.headers });
  const bytes =
    typeof body === 'string' || !/cbor/.test(request.headers['content-type'] ?? '')
      ? Buffer.from(inBody(Buffer.from(body as string).toString()))
      : cborWith(Buffer.from(body), Number(number));
  headers['content-length'] = String(bytes.length);
  headers['content-md5'] = createHash('md5').update(bytes).digest('base64');
  return Object.assign(copy, { body: bytes });
}

function cborWith(body: Buffer, number: number): Buffer {
  const pieces: Buffer[] = [];
  const double = Buffer.alloc(9, 0xfb);
  double.writeDoubleBE(number, 1);
  let from = 0;
  for (let at = body.indexOf(PLACEHOLDER_CBOR); at >= 0; at = body.indexOf(PLACEHOLDER_CBOR, from)) {
    pieces.push(body.subarray(from, at), double);
    from = at + PLACEHOLDER_CBOR.length;
  }
  return Buffer.concat([...pieces, body.subarray(from)]);
}
