import type { Call } from '../call.ts';

/**
 * Maximum duration and maximum silence of a streamed response, in milliseconds.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html
 */
const MAX_DURATION = 15 * 60_000;
const IDLE = 5 * 60_000;
const IDLE_AT_EDGE = 30_000;
/**
 * Delimiter between response metadata and body.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
 */
const DELIMITER = Buffer.alloc(8);
/** Maximum bytes before the delimiter. */
const MAX_HEAD = 16 * 1024;

/** Start of a streamed response. */
interface StreamHead {
  /** JSON metadata; undefined if the delimiter is missing. */
  readonly head: Buffer | undefined;
  /** Received start of the body. */
  readonly rest: Buffer;
}

/**
 * Reads the metadata of a streamed response.
 * @throws errors of the stream
 */
export async function headOf(chunks: AsyncIterator<Uint8Array>): Promise<StreamHead> {
  let read = Buffer.alloc(0);
  for (;;) {
    const end = read.indexOf(DELIMITER);
    if (end >= 0) return { head: read.subarray(0, end), rest: read.subarray(end + DELIMITER.length) };
    const next = read.length > MAX_HEAD ? undefined : await chunks.next();
    if (!next || next.done) return { head: undefined, rest: read };
    read = Buffer.concat([read, next.value]);
  }
}

/**
 * Yields a streamed body, which is cut off after too long a silence or duration of emulated time.
 * @param ending aborted then, and when the client disconnects
 * @param first bytes already read
 * @throws Error on cut-off: breaking the connection is the only way to notify the client
 */
export async function* watched(
  { state, apiId, log }: Call,
  chunks: AsyncIterator<Uint8Array>,
  ending: AbortController,
  first: Uint8Array = Buffer.alloc(0),
): AsyncGenerator<Uint8Array> {
  const { clock } = state;
  const edge = state.apis.get(apiId)?.endpointConfiguration.types?.[0] === 'EDGE';
  const until = clock.now() + MAX_DURATION;
  try {
    if (first.length > 0) yield first;
    for (;;) {
      let timer: ReturnType<typeof clock.at> | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = clock.at(Math.min(until, clock.now() + (edge ? IDLE_AT_EDGE : IDLE)), () => resolve(undefined));
      });
      const reading = chunks.next();
      const next = await Promise.race([reading, late]).finally(() => timer?.cancel());
      if (!next) {
        reading.catch(() => undefined);
        throw new Error("The integration's stream was idle or open for too long.");
      }
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    log.add(() => `Execution failed due to a streaming error: ${String(error)}`, true);
    throw error;
  } finally {
    ending.abort();
  }
}
