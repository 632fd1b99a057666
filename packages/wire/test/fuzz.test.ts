import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AwsError, compileService, type ServiceCodec, type WireRequest } from '../src/index.ts';
import { Arbitraries } from './support/arbitrary.ts';
import { clientOf, commandOf, modelOf, SERVICES, type Service } from './support/services.ts';

/** Mutated requests per protocol, in equal parts from the services that speak it. */
const RUNS = 100_000;
const runsOf = ({ protocol }: Service): number =>
  Math.ceil(RUNS / SERVICES.filter((service) => service.protocol === protocol).length);

/** A small generator of pseudo-random numbers, so that a failure can be run again. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Pieces that parsers stumble over. */
const PIECES = [
  ...['null', 'true', '{', '}', '[', ']', '"', '\\u', ',', ':', '1e999', '-0', '99999999999999999999', '"__proto__":'],
  ...[
    '<',
    '>',
    '</',
    '&lt;',
    '&#x0;',
    '&#xD800;',
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '&b;',
    '<?xml?>',
  ],
  ...[
    '&',
    '=',
    '%',
    '%00',
    '%zz',
    '+',
    '.1',
    '.member.1',
    '.entry.1.key',
    '.999999999',
    '.-1',
    'Action=',
    '__proto__=',
  ],
  ...['\u0000', '\ud7ff', '{"a":'.repeat(3000), '['.repeat(5000), '<a>'.repeat(3000), '.1'.repeat(2000)],
].map((piece) => Buffer.from(piece, 'utf8'));
const BYTES = [
  ...[[0xff], [0xf6], [0xf7], [0xbf], [0x9f], [0x7f], [0x5f], [0xc1], [0xc2], [0xc4], [0xf9, 0x7e, 0], [0x1c]],
  ...[
    [0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0xba, 0xff, 0xff, 0xff, 0xff],
    [0x5a, 0x7f, 0xff, 0xff, 0xff],
  ],
].map((bytes) => Buffer.from(bytes));

/** Changes a body in one to four places. */
function mutate(body: Uint8Array, random: () => number, others: readonly WireRequest[]): Buffer {
  let bytes = Buffer.from(body);
  const at = (length: number): number => Math.floor(random() * length);
  for (let change = at(4); change >= 0; change--) {
    const position = at(bytes.length + 1);
    const head = bytes.subarray(0, position);
    const tail = bytes.subarray(position);
    switch (at(7)) {
      case 0:
        bytes = Buffer.from(bytes);
        if (bytes.length > 0) bytes[at(bytes.length)] = at(256);
        break;
      case 1:
        bytes = Buffer.concat([head, PIECES[at(PIECES.length)]!, tail]);
        break;
      case 2:
        bytes = Buffer.concat([head, BYTES[at(BYTES.length)]!, tail]);
        break;
      case 3:
        bytes = Buffer.from(head);
        break;
      case 4:
        bytes = Buffer.concat([head, tail.subarray(at(tail.length + 1))]);
        break;
      case 5:
        bytes = Buffer.concat([head, tail.subarray(0, at(64)), tail]);
        break;
      default: {
        const other = others[at(others.length)]!.body;
        bytes = Buffer.concat([head, other.subarray(at(other.length + 1))]);
      }
    }
  }
  return bytes;
}

/** Changes a path, a query or a header as bytes of ASCII. */
function mutateText(text: string, random: () => number, others: readonly WireRequest[]): string {
  return mutate(Buffer.from(text, 'latin1'), random, others).subarray(0, 4096).toString('latin1');
}

/** Requests of the SDK for every operation of a service. */
async function corpusOf(service: Service, codec: ServiceCodec): Promise<WireRequest[]> {
  const requests: WireRequest[] = [];
  const client = clientOf(
    service,
    codec,
    (protocol, name) => protocol.encode(name, {}, 'request'),
    (request) => requests.push(request),
  );
  const arbitraries = new Arbitraries(codec.model, service.protocol, service.special);
  for (const [name, { input }] of Object.entries(codec.model.operations)) {
    const command = commandOf(service, name);
    if (!command || !input || service.left?.[name]) continue;
    // What the SDK makes of the answer is not what is tested here.
    for (const value of fc.sample(arbitraries.structure(input.shape), { seed: 11, numRuns: 4 }))
      await client.send(new command(value)).catch(() => undefined);
  }
  return requests;
}

/** What a request comes to: an input, an error that the client sees, or no operation. Anything else is thrown. */
function outcomeOf(codec: ServiceCodec, request: WireRequest): 'input' | 'invalid' | 'error' | 'none' {
  const protocol = codec.protocolOf(request);
  const operation = protocol?.match(request);
  if (!protocol || !operation) return 'none';
  try {
    const input = protocol.decode(operation.name, request);
    return codec.validate(operation.name, input).length === 0 ? 'input' : 'invalid';
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const { body } = protocol.encodeError(error, 'request', operation.name);
    // Without `expect`, which costs more than the decoding.
    if (!(typeof body === 'string' || body instanceof Uint8Array)) throw new TypeError('an error without a body');
    return 'error';
  }
}

describe.each(SERVICES)('$protocol ($client): broken requests', (service) => {
  const runs = runsOf(service);
  it(`give an input or an AWS error, ${runs} times`, { timeout: 300_000 }, async () => {
    const codec = compileService(modelOf(service.model));
    const corpus = await corpusOf(service, codec);
    expect(corpus.length).toBeGreaterThan(10);
    const random = mulberry32(20240601);
    const counts = { input: 0, invalid: 0, error: 0, none: 0 };
    const rest = service.protocol.startsWith('rest');
    let slowest = 0;
    for (let run = 0; run < runs; run++) {
      const base = corpus[Math.floor(random() * corpus.length)]!;
      const request = { ...base, headers: { ...base.headers }, body: mutate(base.body, random, corpus) };
      if (rest && run % 2 === 0) {
        request.body = Buffer.from(base.body);
        if (run % 4 === 0) request.query = mutateText(base.query, random, corpus);
        else request.path = mutateText(base.path, random, corpus);
        const names = Object.keys(base.headers);
        const header = names[Math.floor(random() * names.length)]!;
        request.headers[header] = mutateText(String(base.headers[header]), random, corpus);
      }
      const start = performance.now();
      try {
        counts[outcomeOf(codec, request)]++;
      } catch (error) {
        const shown = `${request.method} ${request.path}?${request.query} ${Buffer.from(request.body).toString('latin1').slice(0, 2000)}`;
        throw new Error(`run ${run}: ${shown}`, { cause: error });
      }
      slowest = Math.max(slowest, performance.now() - start);
    }
    expect(counts.error).toBeGreaterThan(0);
    expect(counts.input).toBeGreaterThan(0);
    // Generous: a hang is what this is about, on a machine that does other things too.
    expect(slowest).toBeLessThan(20_000);
  });
});
