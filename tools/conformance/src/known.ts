import { readFileSync } from 'node:fs';

/** Requests with a reason and AWS's source. */
interface Known {
  reason: string;
  source: string;
  requests: readonly string[];
}

/** Returns the committed exceptions of a sweep for a service. */
export function knownRequests(sweep: 'empties' | 'foreign-arns', service: string): string[] {
  const text = readFileSync(new URL(`../${sweep}.json`, import.meta.url), 'utf8');
  const all = JSON.parse(text) as Readonly<Record<string, readonly Known[]>>;
  return (all[service] ?? []).flatMap(({ requests }) => requests);
}
