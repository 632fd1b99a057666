import { notImplemented } from '@emu/core/service';
import type { EcrContext } from './context.ts';
import { repositoryNotFound } from './errors.ts';
import type { Repository } from './records.ts';

/** Rejects registries of other accounts. @throws AwsError `NotImplemented` */
export function checkRegistry(registryId: string | undefined, ctx: EcrContext): void {
  if (registryId !== undefined && registryId !== ctx.accountId)
    throw notImplemented(ctx.service, `${ctx.operation} in the registry of another account`);
}

/** Returns the repository that a request names. @throws AwsError `RepositoryNotFoundException` */
export function repositoryOf(
  { registryId, repositoryName }: { registryId?: string | undefined; repositoryName: string },
  ctx: EcrContext,
): Repository {
  checkRegistry(registryId, ctx);
  const found = ctx.state.repository(repositoryName);
  if (!found) throw repositoryNotFound(repositoryName, ctx.accountId);
  return found;
}
