import { taggable, taggedByArn, tagOperations } from '@emu/core/service';
import type { LogsOperations } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { lookupTableType, scheduledQueryType } from '../insights/resources.ts';
import { groupNamed } from '../lookup.ts';
import {
  deliveryDestinationType,
  deliverySourceType,
  deliveryType,
  destinationType,
  detectorType,
  groupType,
} from '../resources.ts';
import { tagging } from '../tags.ts';

const unknown = () => notFound('The specified resource does not exist.');

const resourceOfArn = taggedByArn({
  member: 'resourceArn',
  types: [
    taggable(
      [
        destinationType,
        deliverySourceType,
        deliveryDestinationType,
        deliveryType,
        detectorType,
        lookupTableType,
        scheduledQueryType,
        groupType,
      ],
      unknown,
    ),
  ],
  unknown,
});

/**
 * Tags of all resources with an ARN.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_TagResource.html
 */
const resourceTags = tagOperations<LogsOperations, LogsContext>()({
  tagging,
  tag: ['TagResource', 'tags'],
  untag: ['UntagResource', 'tagKeys'],
  list: ['ListTagsForResource', 'tags'],
  // The ARN of a group may end with `:*`.
  resource: ({ resourceArn }, ctx, purpose) =>
    resourceOfArn({ resourceArn: resourceArn.replace(/(:log-group:.*):\*$/, '$1') }, ctx, purpose),
});

/**
 * Tags of log groups by name.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_TagLogGroup.html
 */
const groupTags = tagOperations<LogsOperations, LogsContext>()({
  tagging,
  tag: ['TagLogGroup', 'tags'],
  untag: ['UntagLogGroup', 'tags'],
  list: ['ListTagsLogGroup', 'tags'],
  resource({ logGroupName }, ctx) {
    const { state, group } = groupNamed(logGroupName, ctx);
    return groupType.tagged(state, group)!;
  },
});

/** Both kinds of operations. */
export const tags = { ...resourceTags, ...groupTags };
