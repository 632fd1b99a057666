import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.ts';

/** Response of `GET /_emulator/health`. */
export interface Health {
  status: string;
  version: string;
  services: string[];
  /** Services whose requests go to AWS. */
  forwarded?: string[];
}

/** Timeout in milliseconds for the health of an emulator under load. */
const PATIENCE = 2000;

/**
 * Calls a control route of a running emulator, with JSON or the bytes of a file.
 * @param patience timeout of the response in milliseconds; unlimited by default, as for a reset of much state
 * @throws Failure without a response, for a response of another server, or for an error
 */
export async function control(
  base: string,
  method: string,
  path: string,
  body?: unknown,
  patience?: number,
): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(base + path, {
      method,
      ...(patience !== undefined && { signal: AbortSignal.timeout(patience) }),
      ...bodyOf(body),
    });
  } catch (error) {
    if ((error as Error).name === 'TimeoutError')
      throw new Failure(`${base} accepted the connection and did not respond within ${patience! / 1000} seconds.`);
    throw new Failure(
      `No emulator responds at ${base}. Start one with \`emu\`, or name its address with --addr (EMULATOR_ADDR).`,
    );
  }
  const text = await response.text();
  const json = parse(text);
  if (!response.ok) {
    const { error } = (json ?? {}) as { error?: { message?: string } };
    throw new Failure(error?.message ?? `${base} answered ${response.status}: ${text.slice(0, 200)}`);
  }
  return json;
}

function bodyOf(body: unknown): RequestInit {
  if (body === undefined) return {};
  if (body instanceof Uint8Array)
    return { headers: { 'content-type': 'application/octet-stream' }, body: body as Uint8Array<ArrayBuffer> };
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Returns the health of a running emulator. @throws Failure for a response of another server */
export async function health(base: string): Promise<Health> {
  const found = (await control(base, 'GET', '/_emulator/health', undefined, PATIENCE)) as Partial<Health> | undefined;
  if (typeof found?.version !== 'string' || !Array.isArray(found.services))
    throw new Failure(`The server at ${base} is not emu.`);
  return found as Health;
}

/** Interval of attempts to reach a starting emulator in milliseconds. */
const PAUSE = 50;

/**
 * Waits for a starting emulator and returns its health.
 * @param limit timeout in milliseconds
 * @throws Failure without a response within that time
 */
export async function healthWithin(base: string, limit: number): Promise<Health> {
  const end = performance.now() + limit;
  for (;;) {
    try {
      return await health(base);
    } catch (error) {
      if (!(error instanceof Failure) || performance.now() + PAUSE > end) throw error;
    }
    await sleep(PAUSE);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
