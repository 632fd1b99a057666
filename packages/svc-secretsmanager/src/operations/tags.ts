import { tagOperations } from '@emu/core/service';
import type { SecretsmanagerOperations } from '@emu/service-types/secretsmanager';
import type { SecretsmanagerContext } from '../context.ts';
import { liveSecret, refuseReplica } from '../lookup.ts';
import { replicate } from '../replication.ts';
import { tagging } from '../tags.ts';

/**
 * Tags of secrets, which DescribeSecret lists.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_TagResource.html
 */
export const tags = tagOperations<SecretsmanagerOperations, SecretsmanagerContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  resource({ SecretId }, ctx) {
    const { state, secret } = liveSecret(SecretId, ctx);
    refuseReplica(secret);
    return {
      tags: secret.tags,
      replace(tags) {
        const changed = state.update(secret.name, (draft) => {
          if (draft.tags || tags.length) draft.tags = tags;
        });
        return replicate(state, changed);
      },
    };
  },
});
