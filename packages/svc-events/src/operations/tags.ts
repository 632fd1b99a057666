import { parseBusArn, parseRuleArn } from '../arns.ts';
import { busNotFound, invalidParameter, ruleNotFound } from '../errors.ts';
import type {
  ListTagsForResourceRequest,
  ListTagsForResourceResponse,
  Tag,
  TagResourceRequest,
  UntagResourceRequest,
} from '../generated/events.ts';
import type { EventsContext } from '../lookup.ts';
import { mergeTags } from '../tags.ts';

/** The tags of a resource, and how to change them. */
interface Tagged {
  tags: readonly Readonly<Tag>[];
  set(tags: Tag[]): void;
}

/** @throws AwsError `ResourceNotFoundException`, `ValidationException` */
function taggedAt(arn: string, { state }: EventsContext): Tagged {
  const rule = parseRuleArn(arn);
  if (rule) {
    const found = state.rule(rule.bus, rule.name);
    if (!found) throw ruleNotFound(rule.name, rule.bus);
    return {
      tags: found.tags,
      set: (tags) => {
        state.updateRule(rule.bus, rule.name, (draft) => {
          draft.tags = tags;
        });
      },
    };
  }
  const bus = parseBusArn(arn);
  if (!bus) throw invalidParameter('ResourceARN', 'It names neither a rule nor an event bus.');
  const found = state.bus(bus.name);
  if (!found) throw busNotFound(bus.name);
  return {
    tags: found.tags,
    set: (tags) => {
      state.buses.update(bus.name, (draft) => {
        draft.tags = tags;
      });
    },
  };
}

/**
 * Sets tags of a rule or a bus.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_TagResource.html
 */
export function TagResource(input: TagResourceRequest, ctx: EventsContext): Record<string, never> {
  const tagged = taggedAt(input.ResourceARN, ctx);
  tagged.set(mergeTags(tagged.tags, input.Tags));
  return {};
}

/**
 * Takes tags of a rule or a bus away.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_UntagResource.html
 */
export function UntagResource(input: UntagResourceRequest, ctx: EventsContext): Record<string, never> {
  const tagged = taggedAt(input.ResourceARN, ctx);
  tagged.set(tagged.tags.filter(({ Key }) => !input.TagKeys.includes(Key)).map((tag) => ({ ...tag })));
  return {};
}

/**
 * The tags of a rule or a bus.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListTagsForResource.html
 */
export function ListTagsForResource(
  input: ListTagsForResourceRequest,
  ctx: EventsContext,
): ListTagsForResourceResponse {
  return { Tags: taggedAt(input.ResourceARN, ctx).tags.map((tag) => ({ ...tag })) };
}
