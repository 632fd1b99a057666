import { isApiRecord, type RecordedLine } from '@emu/recording';

/** Role of a request in a replay. */
export type Role =
  /** Sent and compared. */
  | { readonly kind: 'single' }
  /** One poll of a loop, which ends when a response equals that of `last`. */
  | { readonly kind: 'poll'; readonly last: RecordedLine }
  /** Not sent: AWS rejected it for its rate or failed, and the client repeated it. */
  | { readonly kind: 'retried' };

const SINGLE: Role = { kind: 'single' };
const RETRIED: Role = { kind: 'retried' };
/** Operations that only read, by their names. */
const READS = /^(?:BatchGet|Check|Describe|Get|Head|List|Lookup|Poll|Query|Receive|Scan|Select|Test|Verify)/;
/** Whether an operation only reads, by its name. */
export const isRead = (operation: string): boolean => READS.test(operation);

/** Operations that consume what they return, so that only empty responses are polls. */
const CONSUMES = /^(?:Poll|Receive)/;
/** Codes of requests that exceed a rate, or that AWS asks to repeat. */
const REPEATABLE =
  /^(?:Throttl\w*|TooManyRequests\w*|RequestLimitExceeded|SlowDown|BandwidthLimitExceeded|RequestThrottled\w*|ProvisionedThroughputExceeded\w*|LimitExceededException|PriorRequestNotComplete|RequestTimeout\w*|ServiceUnavailable\w*|InternalFailure|InternalError|InternalServerError)$/;
/** Number of requests within which a client repeats a rejected one. */
const REPEATED_WITHIN = 200;

interface Loop {
  readonly polls: RecordedLine[];
  readonly answers: string[];
}

/**
 * Finds poll loops and repeated requests. A loop is the same read request repeatedly, without a successful change in the same
 * service between, whose responses change.
 * @returns the role of each request
 */
export function planOf(lines: readonly RecordedLine[]): Map<RecordedLine, Role> {
  const roles = new Map<RecordedLine, Role>();
  const open = new Map<string, Map<string, Loop>>();
  const rejected = new Map<string, { line: RecordedLine; index: number }[]>();
  const close = (service: string): void => {
    for (const loop of open.get(service)?.values() ?? []) finish(loop, roles);
    open.delete(service);
  };
  lines.forEach((line, index) => {
    const { record } = line;
    roles.set(line, SINGLE);
    if (!isApiRecord(record)) return;
    const { service, region, operation, signer = '', error } = record;
    const key = `${region} ${signer} ${operation} ${JSON.stringify(record.input)}`;
    const attempts = rejected.get(`${service} ${key}`);
    if (error && (record.status >= 500 || REPEATABLE.test(error.code))) {
      const attempt = { line, index };
      if (attempts) attempts.push(attempt);
      else rejected.set(`${service} ${key}`, [attempt]);
      return;
    }
    rejected.delete(`${service} ${key}`);
    for (const attempt of attempts ?? [])
      if (index - attempt.index <= REPEATED_WITHIN) roles.set(attempt.line, RETRIED);
    if (!isRead(operation)) {
      if (!error) close(service);
      return;
    }
    const loops = open.get(service) ?? new Map<string, Loop>();
    open.set(service, loops);
    const loop = loops.get(key) ?? { polls: [], answers: [] };
    loops.set(key, loop);
    loop.polls.push(line);
    loop.answers.push(JSON.stringify(error ?? record.output));
    if (!CONSUMES.test(operation) || isEmpty(record.output ?? {})) return;
    // The next request of this kind receives something else.
    finish(loop, roles);
    loops.delete(key);
  });
  for (const service of [...open.keys()]) close(service);
  return roles;
}

function finish({ polls, answers }: Loop, roles: Map<RecordedLine, Role>): void {
  const last = answers.at(-1);
  // Polls after the final state are like the last one.
  const final = answers.indexOf(last!);
  if (final < 1) return;
  for (const poll of polls.slice(0, final + 1)) roles.set(poll, { kind: 'poll', last: polls[final]! });
}

/** Whether an output contains nothing, or empty lists only. */
const isEmpty = (output: Readonly<Record<string, unknown>>): boolean =>
  Object.values(output).every((value) => Array.isArray(value) && value.length === 0);
