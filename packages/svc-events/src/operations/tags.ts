import { taggable, taggedByArn, tagOperations } from '@emu/core/service';
import type { EventsOperations } from '@emu/service-types/events';
import type { EventsContext } from '../context.ts';
import { busNotFound, invalidParameter, ruleNotFound } from '../errors.ts';
import { DEFAULT_BUS } from '../records.ts';
import { busType, ruleType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Tags of rules and buses. @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_TagResource.html */
export const tags = tagOperations<EventsOperations, EventsContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTagsForResource', 'Tags'],
  resource: taggedByArn({
    member: 'ResourceARN',
    types: [
      taggable(ruleType, ({ name, bus = DEFAULT_BUS }) => ruleNotFound(name, bus)),
      taggable(busType, ({ name }) => busNotFound(name)),
    ],
    foreign: true,
    unknown: () => invalidParameter('ResourceARN', 'It names neither a rule nor an event bus.'),
  }),
});
