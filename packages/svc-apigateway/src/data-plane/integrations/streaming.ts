import type { Call } from '../call.ts';

/** Milliseconds that a streamed answer may last, and be silent. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html */
const LONGEST = 15 * 60_000;
const IDLE = 5 * 60_000;
const IDLE_AT_EDGE = 30_000;
/** Bytes between what describes an answer and its body. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html */
const DELIMITER = Buffer.alloc(8);
/** Bytes in which the delimiter has to come. */
const LARGEST_HEAD = 16 * 1024;

/** The beginning of a streamed answer. */
interface StreamHead {
  /** What describes it, as JSON; undefined where the delimiter does not come. */
  readonly head: Buffer | undefined;
  /** What came of the body with it. */
  readonly rest: Buffer;
}

/** Reads what describes a streamed answer. @throws what reading throws */
export async function headOf(chunks: AsyncIterator<Uint8Array>): Promise<StreamHead> {
  let read = Buffer.alloc(0);
  for (;;) {
    const end = read.indexOf(DELIMITER);
    if (end >= 0) return { head: read.subarray(0, end), rest: read.subarray(end + DELIMITER.length) };
    const next = read.length > LARGEST_HEAD ? undefined : await chunks.next();
    if (!next || next.done) return { head: undefined, rest: read };
    read = Buffer.concat([read, next.value]);
  }
}

/**
 * A streamed body that ends when nothing comes for too long, or it lasts too long, of the emulated time.
 * @param ending aborted then, and when the client has gone
 * @param first what has been read already
 * @throws Error where it is cut off: the client can be told in no other way than that the connection breaks
 */
export async function* watched(
  { state, apiId, log }: Call,
  chunks: AsyncIterator<Uint8Array>,
  ending: AbortController,
  first: Uint8Array = Buffer.alloc(0),
): AsyncGenerator<Uint8Array> {
  const { clock } = state;
  const edge = state.apis.get(apiId)?.endpointConfiguration.types?.[0] === 'EDGE';
  const until = clock.now() + LONGEST;
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
        throw new Error('The stream of the integration was silent for too long, or lasted too long.');
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
