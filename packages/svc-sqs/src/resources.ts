import { defineResource } from '@emu/core/service';
import { asString } from '@emu/wire';
import type { QueueRegistry } from './queues/registry.ts';
import { parseQueueUrl } from './queues/url.ts';
import { tagging } from './tags.ts';

/**
 * Queues, identified by URL, by name with owner account, or by ARN.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsqs.html
 */
export const queueType = defineResource({
  name: 'queue',
  service: 'sqs',
  scope: 'region',
  format: '{name}',
  cloudFormation: 'AWS::SQS::Queue',
  identify(input, { accountId, region }) {
    const url = asString(input.QueueUrl);
    if (url !== undefined) {
      const address = parseQueueUrl(url);
      return { key: { name: address.name }, place: { accountId: address.accountId ?? accountId, region } };
    }
    const name = asString(input.QueueName);
    if (name === undefined) return undefined;
    return { key: { name }, place: { accountId: asString(input.QueueOwnerAWSAccountId) ?? accountId, region } };
  },
  find: (registry: QueueRegistry, { name }) => (registry.find(name) ? { name } : undefined),
  list: (registry) => registry.list().map(({ name }) => ({ name })),
  tagged: {
    tagging,
    find(registry, { name }) {
      const queue = registry.find(name);
      if (!queue) return undefined;
      const replace = (tags: Record<string, string>) =>
        registry.update(queue, (draft) => Object.assign(draft, { tags }));
      return { name, tags: queue.record.tags, replace };
    },
  },
  tagCalls: {
    tag: ({ name }, tags) => ({ operation: 'TagQueue', input: { QueueUrl: name, Tags: tags } }),
    untag: ({ name }, keys) => ({ operation: 'UntagQueue', input: { QueueUrl: name, TagKeys: keys } }),
  },
  policy: (registry, { name }) => registry.find(name)?.record.attributes.Policy || undefined,
});
