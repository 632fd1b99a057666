import type { RequestRecord, RequestTree } from '@emu/control-client';
import { control } from './control.ts';
import { Failure } from './failure.ts';

/** Arguments of `emu requests`. */
export interface RequestsOptions {
  follow: boolean;
  /** Print one JSON object per line instead of text. */
  json: boolean;
  /** Query of the control routes. */
  query: { service?: string | undefined; operation?: string | undefined; errors?: string | undefined; limit: string };
}

/**
 * Prints recorded requests. Starts recording if it is off.
 * @param base URL of the emulator
 * @throws Failure without a response, or for an invalid query
 */
export async function requests(base: string, { follow, json, query }: RequestsOptions): Promise<void> {
  const { limit, ...filter } = query;
  const path = `/_emulator/requests/tree${queryOf({ ...filter, limit })}`;
  const { recording, requests: trees } = (await control(base, 'GET', path)) as {
    recording: boolean;
    requests: RequestTree[];
  };
  if (!recording) await control(base, 'PUT', '/_emulator/requests', { recording: true });
  for (const tree of trees) write(json ? JSON.stringify(tree) : linesOf(tree).join('\n'));
  if (follow) await print(base, queryOf(filter), (request) => write(json ? JSON.stringify(request) : lineOf(request)));
  else if (!recording)
    process.stderr.write(
      'emu did not record requests until now; recording has started. Run this again after some requests, or use emu requests -f.\n',
    );
  else if (!trees.length) process.stderr.write('no recorded request matches\n');
}

const write = (text: string): boolean => process.stdout.write(`${text}\n`);

function queryOf(query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length ? `?${new URLSearchParams(given)}` : '';
}

/** Formats a request as one line. */
function lineOf(request: RequestRecord): string {
  const { receivedAt, service, operation, status, duration, accountId, region, via, errorCode, errorMessage } = request;
  const { host, redirectedFrom } = request;
  const parts = [
    receivedAt.slice(11, 23),
    `${service || '?'}.${operation || '?'}`,
    String(status),
    `${duration.toFixed(1)} ms`,
    accountId,
    region,
    ...(via === undefined ? [] : [`by ${via}`]),
    ...(redirectedFrom === undefined ? [] : [`to ${host} by ${redirectedFrom}`]),
    ...(errorCode === undefined ? [] : [`${errorCode}: ${errorMessage ?? ''}`]),
  ];
  return parts.join(' ');
}

/** Formats a request and, indented below it, the requests that it caused. */
function linesOf(tree: RequestTree, level = 0): string[] {
  const indent = level ? `${'   '.repeat(level - 1)}└─ ` : '';
  return [indent + lineOf(tree), ...tree.caused.flatMap((each) => linesOf(each, level + 1))];
}

/** Reads server-sent events until the emulator ends. */
async function print(base: string, query: string, each: (request: RequestRecord) => void): Promise<void> {
  const response = await fetch(`${base}/_emulator/requests/events${query}`);
  if (!response.ok || !response.body) throw new Failure(`${base} returned status ${response.status}.`);
  process.stderr.write('following until emu ends, or Ctrl+C\n');
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n');
    rest = events.pop()!;
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) each(JSON.parse(data) as RequestRecord);
    }
  }
}
