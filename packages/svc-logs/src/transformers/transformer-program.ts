import type { RunProgram } from '@emu/core/programs';
import type { Processor } from '@emu/service-types/logs';
import type { EventPlace } from './document.ts';

/** A message, and the configuration of its transformer. */
export interface RemoteTransformation {
  readonly config: readonly Processor[];
  readonly message: string;
  readonly place: EventPlace;
}

export const url = import.meta.url;

export async function load(): Promise<RunProgram<RemoteTransformation, string | undefined>> {
  const { Transformer } = await import('./transformer.ts');
  return ({ config, message, place }) => new Transformer(config).transform(message, place);
}
