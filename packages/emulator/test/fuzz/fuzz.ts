import { type RawRequest, type RawResponse, sendRaw } from '@emu/gateway/testing';
import { BYTE_MUTATIONS } from '../../../wire/test/fuzz/bytes.ts';
import { GRAMMAR_MUTATIONS, Grammar } from '../../../wire/test/fuzz/grammar.ts';
import { Memory } from '../../../wire/test/fuzz/memory.ts';
import type { Random } from '../../../wire/test/fuzz/random.ts';
import { Tally } from '../../../wire/test/fuzz/tally.ts';
import { createEmulator, SERVICE_NAMES } from '../../src/index.ts';
import { SERVICES } from '../../src/services.ts';
import { loadLazily } from './lazy.ts';

/** Result of a run. */
export interface FuzzReport {
  requests: number;
  /** Responses by status. */
  statuses: Record<number, number>;
  /** Number of uses of each mutation. */
  mutations: Tally;
  /** Requests by operation, each as `<service> <protocol> <operation>`. */
  operations: Tally;
  /** Failures, each once, as text with the request. */
  problems: string[];
}

/** Timeout of a request in milliseconds. Some operations wait for up to 20 s by themselves. */
const PATIENCE = 30_000;
const MAX_PROBLEMS = 20;

/**
 * Sends broken requests to every operation of every service, and checks that each response is an AWS error and that
 * memory stays bounded. Each round calls every operation in each of its protocols once, in another order.
 * @param until ends the run; called before each round except the first two
 */
export async function fuzz(random: Random, until: () => boolean): Promise<FuzzReport> {
  const emu = await createEmulator({ logLevel: 'error' });
  const mutations = new Tally([...BYTE_MUTATIONS, ...GRAMMAR_MUTATIONS]);
  const report: FuzzReport = { requests: 0, statuses: {}, mutations, operations: new Tally(), problems: [] };
  try {
    const sources: { name: string; next(): RawRequest }[] = [];
    for (const service of SERVICE_NAMES) {
      const { model } = (await emu.kernel.service(service)).codec;
      const grammar = new Grammar(model, random, mutations);
      for (const protocol of model.metadata.protocols)
        for (const operation of Object.keys(model.operations))
          sources.push({
            name: `${service} ${protocol} ${operation}`,
            next: () => {
              const { body, ...request } = grammar.broken(operation, protocol);
              return { ...request, chunks: [body] };
            },
          });
    }
    await loadLazily(emu, SERVICES);
    const memory = new Memory();
    for (let round = 0; round < 2 || !until(); round++) {
      for (const { name, next } of random.shuffled(sources)) {
        const request = next();
        const response = await answered(sendRaw(emu, request));
        report.requests++;
        report.operations.add(name);
        report.statuses[response?.status ?? 0] = (report.statuses[response?.status ?? 0] ?? 0) + 1;
        const problem = (response ? problemOf(request, response) : 'no answer') ?? memory.grown();
        if (problem) report.problems.push(`${problem}: ${shown(request)} -> ${response?.text.slice(0, 300)}`);
        if (report.problems.length >= MAX_PROBLEMS) return report;
      }
      if (round > 0) continue;
      await emu.reset();
      memory.warm();
    }
    // Released resources of requests are freed by then. The rest is leaked memory.
    await emu.reset();
    const leaked = memory.leaked();
    if (leaked) report.problems.push(leaked);
  } finally {
    await emu.close();
  }
  return report;
}

function problemOf({ method }: RawRequest, { status, text, headers }: RawResponse): string | undefined {
  if (status >= 500 && status !== 501) return `status ${status}`;
  if (status < 400 || method === 'HEAD' || text === '') return undefined;
  const type = headers['content-type'] ?? '';
  if (type.includes('json')) {
    try {
      JSON.parse(text);
    } catch {
      return 'an error response that is not JSON';
    }
  } else if (type.includes('xml') && !/<Error(Response)?[\s>]|<ErrorResponse|<Response>/.test(text))
    return 'an error response without an XML error';
  return undefined;
}

async function answered(response: Promise<RawResponse>): Promise<RawResponse | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE);
  });
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(timer);
  }
}

const shown = ({ method, target, headers, chunks = [] }: RawRequest): string =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 600)} ${Buffer.concat(
    chunks.map((chunk) => Buffer.from(chunk)),
  )
    .toString('latin1')
    .slice(0, 600)}`;
