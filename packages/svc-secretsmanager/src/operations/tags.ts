import type { TagResourceRequest, UntagResourceRequest } from '@emu/service-types/secretsmanager';
import { liveSecret, refuseReplica, type SecretsContext } from '../lookup.ts';
import { replicate } from '../replication.ts';
import { tagging } from '../tags.ts';

/**
 * Sets tags of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_TagResource.html
 */
export async function TagResource(input: TagResourceRequest, ctx: SecretsContext): Promise<void> {
  const { state, secret } = liveSecret(input.SecretId, ctx);
  refuseReplica(secret);
  const tags = tagging.merge(secret.tags, input.Tags);
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
    if (draft.tags) draft.tags = tagging.remove(draft.tags, input.TagKeys);
  });
  await replicate(state, changed);
}
