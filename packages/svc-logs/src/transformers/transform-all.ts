import { Program, ProgramLimitError } from '@emu/core/programs';
import { Slices } from '@emu/core/service';
import type { EventPlace } from './document.ts';
import type { Transformer } from './transformer.ts';

/** Maximum characters of a message that is transformed in this thread: up to about 20 ms. */
const MAX_LENGTH = 8192;
/** Maximum milliseconds to transform a longer message. */
const MAX_TIME = 5000;

const longMessages = new Program(() => import('./transformer-program.ts'), MAX_TIME);

/**
 * Transforms messages in slices, and long ones in another process.
 * @returns undefined for a message that cannot be transformed
 */
export async function transformAll(
  transformer: Transformer,
  messages: readonly string[],
  place: EventPlace,
): Promise<(string | undefined)[]> {
  const slices = new Slices();
  const transformed: (string | undefined)[] = [];
  for (const message of messages) {
    transformed.push(
      message.length <= MAX_LENGTH
        ? transformer.transform(message, place)
        : await transformLong(transformer, message, place),
    );
    const pause = slices.pause();
    if (pause) await pause;
  }
  return transformed;
}

async function transformLong({ config }: Transformer, message: string, place: EventPlace): Promise<string | undefined> {
  try {
    return await longMessages.run({ config, message, place }, `${place.accountId}:${place.region}:${place.group}`);
  } catch (error) {
    if (error instanceof ProgramLimitError) return undefined;
    throw error;
  }
}
