import type { PipesContext } from './context.ts';
import { pipeNotFound } from './errors.ts';
import type { Pipe } from './registry.ts';
import { pipeType } from './resources.ts';

/** Returns the pipe with a name. @throws AwsError `NotFoundException` */
export function pipeOf(name: string, { state }: PipesContext): Pipe {
  const pipe = state.pipe(name);
  if (!pipe) throw pipeNotFound(name);
  return pipe;
}

/** Returns the pipe with an ARN. @throws AwsError `NotFoundException` */
export function pipeAt(arn: string, ctx: PipesContext): Pipe {
  const address = pipeType.parse(arn);
  const here = address?.place.accountId === ctx.accountId && address.place.region === ctx.region;
  if (!address || !here) throw pipeNotFound(arn);
  return pipeOf(address.key.name, ctx);
}
