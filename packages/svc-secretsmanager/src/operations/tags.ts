import type { TagResourceRequest, UntagResourceRequest } from '../generated/secretsmanager.ts';
import { liveSecret, refuseReplica, type SecretsContext } from '../lookup.ts';
import { replicate } from '../replication.ts';
import { mergeTags } from '../tags.ts';

/**
 * Sets tags of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_TagResource.html
 */
export async function TagResource(input: TagResourceRequest, ctx: SecretsContext): Promise<void> {
  const { state, secret } = liveSecret(input.SecretId, ctx);
  refuseReplica(secret);
  const tags = mergeTags(secret.tags ?? [], input.Tags);
  const changed = state.update(secret.name, (draft) => {
    draft.tags = tags;
  });
  await replicate(state, changed);
}

/**
 * Takes tags of a secret away.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UntagResource.html
 */
export async function UntagResource(input: UntagResourceRequest, ctx: SecretsContext): Promise<void> {
  const { state, secret } = liveSecret(input.SecretId, ctx);
  refuseReplica(secret);
  const changed = state.update(secret.name, (draft) => {
    if (draft.tags) draft.tags = draft.tags.filter(({ Key }) => !input.TagKeys.includes(Key!));
  });
  await replicate(state, changed);
}
