import type { PipesContext } from './context.ts';
import { pipeNotFound } from './errors.ts';
import type { Pipe } from './registry.ts';

/** Returns the pipe with a name. @throws AwsError `NotFoundException` */
export function pipeOf(name: string, { state }: PipesContext): Pipe {
  const pipe = state.pipe(name);
  if (!pipe) throw pipeNotFound(name);
  return pipe;
}
