import fc from 'fast-check';
import { AwsError, compileService, type Protocol, type ServiceCodec, type WireRequest } from '../../src/index.ts';
import { Arbitraries } from '../support/arbitrary.ts';
import { clientOf, commandOf, modelOf, type Service } from '../support/services.ts';
import { BYTE_MUTATIONS, mutate, mutateText } from './bytes.ts';
import { GRAMMAR_MUTATIONS, Grammar } from './grammar.ts';
import { Memory } from './memory.ts';
import type { Random } from './random.ts';
import { Tally } from './tally.ts';

/** Timeout for decoding a request in milliseconds. It is generous, because only hangs matter. */
const PATIENCE = 20_000;

/** Result of a run over one service's protocol. */
export interface DecodingReport {
  protocol: Protocol;
  requests: number;
  /** Number of requests by result. */
  outcomes: Record<Outcome, number>;
  /** Number of uses of each mutation. */
  mutations: Tally;
  /** Failure as text with the request. A run ends at the first one. */
  problems: string[];
}

type Outcome = 'input' | 'invalid' | 'error' | 'none';

/**
 * Decodes broken requests to a service: from its SDK and from its grammar, changed as bytes. Each must result in an
 * input or an AWS error, quickly and with little memory.
 * @param runs number of requests
 * @param samples inputs of each operation written by the SDK
 */
export async function fuzzDecoding(
  service: Service,
  random: Random,
  runs: number,
  samples: number,
): Promise<DecodingReport> {
  const { protocol } = service;
  const codec = compileService(modelOf(service.model));
  const corpus = await corpusOf(service, codec, samples);
  const mutations = new Tally([...BYTE_MUTATIONS, ...GRAMMAR_MUTATIONS]);
  const grammar = new Grammar(codec.model, random, mutations);
  const operations = Object.keys(codec.model.operations);
  const other = (): Uint8Array => random.of(corpus).body;
  const memory = new Memory();
  const report: DecodingReport = {
    protocol,
    requests: 0,
    outcomes: { input: 0, invalid: 0, error: 0, none: 0 },
    mutations,
    problems: [],
  };
  for (let run = 0; run < runs && report.problems.length === 0; run++) {
    let request: WireRequest;
    if (run % 4 === 3) {
      request = wireRequestOf(grammar.broken(random.of(operations), protocol));
      if (random.once(3)) request.body = mutate(request.body, random, mutations, other);
    } else request = changed(random.of(corpus), run, protocol, random, mutations, other);
    const start = performance.now();
    const fail = (problem: string): void => {
      report.problems.push(`${protocol}, request ${run}: ${problem}: ${shown(request)}`);
    };
    try {
      report.outcomes[outcomeOf(codec, request)]++;
    } catch (error) {
      fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    report.requests++;
    if (performance.now() - start > PATIENCE) fail('it took too long');
    const grown = memory.grown();
    if (grown) fail(grown);
  }
  return report;
}

/** Returns an SDK request with a changed body, or another changed part that carries the input. */
function changed(
  base: WireRequest,
  run: number,
  protocol: Protocol,
  random: Random,
  tally: Tally,
  other: () => Uint8Array,
): WireRequest {
  const request = { ...base, headers: { ...base.headers } };
  if (!protocol.startsWith('rest') || run % 2 === 1) {
    request.body = mutate(base.body, random, tally, other);
    return request;
  }
  request.body = Buffer.from(base.body);
  if (run % 4 === 0) request.query = mutateText(base.query, random, tally, other);
  else request.path = mutateText(base.path, random, tally, other);
  const header = random.of(Object.keys(base.headers));
  request.headers[header] = mutateText(String(base.headers[header]), random, tally, other);
  return request;
}

/** Returns SDK requests for every operation of a service. */
async function corpusOf(service: Service, codec: ServiceCodec, samples: number): Promise<WireRequest[]> {
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
    // The SDK's handling of the response is not tested here.
    for (const value of fc.sample(arbitraries.structure(input.shape), { seed: 11, numRuns: samples }))
      await client.send(new command(value)).catch(() => undefined);
  }
  if (requests.length <= 10) throw new Error(`the SDK wrote ${requests.length} requests`);
  return requests;
}

function wireRequestOf({ method, target, headers, body }: ReturnType<Grammar['broken']>): WireRequest {
  const [path = '', ...query] = target.split('?');
  return { method, path, query: query.join('?'), headers: { ...headers }, body };
}

/** Returns the result of a request: an input, a client-visible error, or no operation. Throws any other error. */
function outcomeOf(codec: ServiceCodec, request: WireRequest): Outcome {
  const protocol = codec.protocolOf(request);
  const operation = protocol?.match(request);
  if (!protocol || !operation) return 'none';
  try {
    const input = protocol.decode(operation.name, request);
    return codec.validate(operation.name, input).length === 0 ? 'input' : 'invalid';
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const { body } = protocol.encodeError(error, 'request', operation.name);
    if (!(typeof body === 'string' || body instanceof Uint8Array)) throw new TypeError('an error without a body');
    return 'error';
  }
}

const shown = ({ method, path, query, body }: WireRequest): string =>
  `${method} ${path}?${query} ${Buffer.from(body).toString('latin1').slice(0, 2000)}`;
