import { tagOperations } from '@emu/core/service';
import type { SqsOperations } from '@emu/service-types/sqs';
import type { SqsContext } from '../context.ts';
import { missingParameter } from '../errors.ts';
import { queueAt } from '../lookup.ts';
import { queueType } from '../resources.ts';
import { tagging, tagKeyLength } from '../tags.ts';

/** Tags of queues. @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_TagQueue.html */
export const tags = tagOperations<SqsOperations, SqsContext>()({
  tagging,
  tag: ['TagQueue', 'Tags'],
  untag: ['UntagQueue', 'TagKeys'],
  list: ['ListQueueTags', (Tags) => (Object.keys(Tags).length ? { Tags } : {})],
  resource({ QueueUrl }, ctx) {
    const { state, queue } = queueAt(QueueUrl, ctx);
    return queueType.tagged(state, queue)!;
  },
  check({ added, removed }) {
    if (added && !Object.keys(added).length) throw missingParameter('Tags');
    if (removed && (!removed.length || removed.includes(''))) throw tagKeyLength();
  },
});
