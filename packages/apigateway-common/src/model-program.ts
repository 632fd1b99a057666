import type { RunProgram } from '@emu/core/programs';
import type { ModelValidator, NamedSchema } from './models.ts';

/** A body to validate with a model. */
export interface RemoteValidation {
  readonly models: readonly NamedSchema[];
  /** Name of the model. */
  readonly name: string;
  /** The body as JSON. */
  readonly body: string;
}

export const url = import.meta.url;

export async function load(): Promise<RunProgram<RemoteValidation, string | undefined>> {
  const { modelValidator } = await import('./models.ts');
  // The requests of an API usually follow each other.
  let last: { readonly key: string; readonly validator: ModelValidator } | undefined;
  return ({ models, name, body }) => {
    const key = JSON.stringify(models);
    if (last?.key !== key) last = { key, validator: modelValidator(models) };
    return last.validator.problem(name, JSON.parse(body));
  };
}
