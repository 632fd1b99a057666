import type { InputOf, OutputOf, Tag } from '@emu/service-types/events';
import { parseRuleArn } from '../arns.ts';
import type { EventsContext } from '../context.ts';
import { busNotFound, invalidParameter, ruleNotFound } from '../errors.ts';
import { stateAt } from '../lookup.ts';
import { busType, ruleType } from '../resources.ts';
import type { EventsState } from '../state.ts';
import { tagging } from '../tags.ts';

/** Tags of a resource, and the function that replaces them. */
interface Tagged {
  tags: readonly Readonly<Tag>[];
  set(tags: Tag[]): void;
}

/** @throws AwsError `ResourceNotFoundException`, `ValidationException` */
function taggedAt(arn: string, ctx: EventsContext): Tagged {
  const address = ruleType.parse(arn) ?? busType.parse(arn);
  if (!address) throw invalidParameter('ResourceARN', 'It names neither a rule nor an event bus.');
  const state = address.place.region === ctx.region ? stateAt(address.place, ctx) : undefined;
  const rule = parseRuleArn(arn);
  return rule ? taggedRule(rule.bus, rule.name, state) : taggedBus(address.key.name, state);
}

function taggedRule(bus: string, name: string, state: EventsState | undefined): Tagged {
  const found = state?.rule(bus, name);
  if (!state || !found) throw ruleNotFound(name, bus);
  return {
    tags: found.tags,
    set: (tags) => {
      state.updateRule(bus, name, (draft) => {
        draft.tags = tags;
      });
    },
  };
}

function taggedBus(name: string, state: EventsState | undefined): Tagged {
  const found = state?.bus(name);
  if (!state || !found) throw busNotFound(name);
  return {
    tags: found.tags,
    set: (tags) => {
      state.buses.update(name, (draft) => {
        draft.tags = tags;
      });
    },
  };
}

/**
 * Sets tags of a rule or a bus.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_TagResource.html
 */
export function TagResource(input: InputOf<'TagResource'>, ctx: EventsContext): OutputOf<'TagResource'> {
  const tagged = taggedAt(input.ResourceARN, ctx);
  tagged.set(tagging.merge(tagged.tags, input.Tags));
  return {};
}

/**
 * Removes tags from a rule or a bus.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_UntagResource.html
 */
export function UntagResource(input: InputOf<'UntagResource'>, ctx: EventsContext): OutputOf<'UntagResource'> {
  const tagged = taggedAt(input.ResourceARN, ctx);
  tagged.set(tagging.remove(tagged.tags, input.TagKeys));
  return {};
}

/**
 * Lists the tags of a rule or a bus.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListTagsForResource.html
 */
export function ListTagsForResource(
  input: InputOf<'ListTagsForResource'>,
  ctx: EventsContext,
): OutputOf<'ListTagsForResource'> {
  return { Tags: taggedAt(input.ResourceARN, ctx).tags.map((tag) => ({ ...tag })) };
}
