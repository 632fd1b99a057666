import type { InputOf } from '@emu/service-types/secretsmanager';
import type { SecretsmanagerContext } from '../context.ts';
import { liveSecret, refuseReplica } from '../lookup.ts';
import { replicate } from '../replication.ts';
import { tagging } from '../tags.ts';

/**
 * Sets tags of a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_TagResource.html
 */
export async function TagResource(input: InputOf<'TagResource'>, ctx: SecretsmanagerContext): Promise<void> {
  const { state, secret } = liveSecret(input.SecretId, ctx);
  refuseReplica(secret);
  const tags = tagging.merge(secret.tags, input.Tags);
  const changed = state.update(secret.name, (draft) => {
    draft.tags = tags;
  });
  await replicate(state, changed);
}

/**
 * Removes tags from a secret.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UntagResource.html
 */
export async function UntagResource(input: InputOf<'UntagResource'>, ctx: SecretsmanagerContext): Promise<void> {
  const { state, secret } = liveSecret(input.SecretId, ctx);
  refuseReplica(secret);
  const changed = state.update(secret.name, (draft) => {
    if (draft.tags) draft.tags = tagging.remove(draft.tags, input.TagKeys);
  });
  await replicate(state, changed);
}
