import { type RawRequest, type RawResponse, sendRaw } from '@emu/gateway/testing';
import { createEmulator, SERVICE_NAMES } from '../../src/index.ts';
import { Random } from './random.ts';
import { Requests } from './requests.ts';

/** What a run came to. */
export interface FuzzReport {
  seed: number;
  requests: number;
  /** Answers by their status. */
  statuses: Record<number, number>;
  /** What went wrong, each once, as text with the request. */
  problems: string[];
}

/** Milliseconds within which every request is to be answered; some operations wait for up to 20 s by themselves. */
const PATIENCE = 30_000;
const MOST_PROBLEMS = 20;

/**
 * Sends broken requests to every operation of every service, and looks whether each is answered as AWS answers errors.
 * @param until ends the run
 */
export async function fuzz(seed: number, until: (requests: number) => boolean): Promise<FuzzReport> {
  const emu = await createEmulator({ logLevel: 'error' });
  const report: FuzzReport = { seed, requests: 0, statuses: {}, problems: [] };
  const random = new Random(seed);
  try {
    const sources: Requests[] = [];
    for (const name of SERVICE_NAMES) sources.push(new Requests((await emu.kernel.service(name)).codec.model, random));
    for (; !until(report.requests) && report.problems.length < MOST_PROBLEMS; report.requests++) {
      const request = random.of(sources).next();
      const response = await answered(sendRaw(emu, request));
      report.statuses[response?.status ?? 0] = (report.statuses[response?.status ?? 0] ?? 0) + 1;
      const problem = response ? problemOf(request, response) : 'no answer';
      if (problem) report.problems.push(`${problem}: ${shown(request)} -> ${response?.text.slice(0, 300)}`);
    }
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
      return 'an error that is no JSON';
    }
  } else if (type.includes('xml') && !/<Error(Response)?[\s>]|<ErrorResponse|<Response>/.test(text))
    return 'an error that is none in XML';
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
