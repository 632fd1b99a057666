import { createHash } from 'node:crypto';
import type { Clock, Ids } from '@emu/core/service';

/**
 * Maximum runs of a function in one chain of requests. @see
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export const RECURSION_LIMIT = 16;

/** A trace header extended by this run of a function. */
export interface ExtendedTrace {
  header: string;
  /** Number of runs of the function in this chain, including this one. */
  runs: number;
  /** Trace id, shared by all requests of the chain. */
  root: string;
  /** Id of the function's segment if the run is sampled for X-Ray. */
  segment: string | undefined;
}

/**
 * Extends the trace header of a request by a run of a function: `Lineage` counts the runs of each function in a chain
 * of requests. Functions forward the header in their calls.
 * @param received header of the request; without one, a new trace is started
 * @param sample decides on sampling if the header does not; undefined if the function is only traced on the header's
 * request
 */
export function extendTrace(
  received: string | undefined,
  functionArn: string,
  { clock, ids }: { clock: Clock; ids: Ids },
  sample: (() => boolean) | undefined,
): ExtendedTrace {
  const fields = new Map<string, string>();
  for (const part of (received ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0) fields.set(part.slice(0, equals).trim(), part.slice(equals + 1).trim());
  }
  if (!fields.has('Root')) {
    const seconds = Math.floor(clock.now() / 1000)
      .toString(16)
      .padStart(8, '0');
    fields.set('Root', `1-${seconds.slice(-8)}-${ids.hex(24)}`);
    fields.set('Parent', ids.hex(16));
    fields.set('Sampled', sample?.() ? '1' : '0');
  } else if (sample && !/^[01]$/.test(fields.get('Sampled') ?? '')) fields.set('Sampled', sample() ? '1' : '0');
  const segment = fields.get('Sampled') === '1' ? ids.hex(16) : undefined;
  if (segment !== undefined) fields.set('Parent', segment);
  const own = createHash('sha256').update(functionArn).digest('hex').slice(0, 8);
  const lineage = new Map<string, number>();
  for (const entry of (fields.get('Lineage') ?? '').split('|')) {
    const [hash, count] = entry.split(':');
    if (hash && /^\d{1,5}$/.test(count ?? '')) lineage.set(hash, Number(count));
  }
  const runs = (lineage.get(own) ?? 0) + 1;
  lineage.set(own, runs);
  fields.set('Lineage', [...lineage].map(([hash, count]) => `${hash}:${count}`).join('|'));
  return {
    header: [...fields].map(([name, value]) => `${name}=${value}`).join(';'),
    runs,
    root: fields.get('Root')!,
    segment,
  };
}
