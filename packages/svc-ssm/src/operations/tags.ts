import type { InputOf, OutputOf, ResourceTypeForTagging } from '@emu/service-types/ssm';
import { awsError } from '@emu/wire';
import type { SsmContext } from '../context.ts';
import { TAGGED, type Tagged } from '../tagged.ts';
import { addTags, listOfTags, removeTags } from '../tags.ts';

/**
 * Returns the resource that a request tags.
 * @throws AwsError `InvalidResourceId`; `NotImplemented` for unsupported types
 */
function taggedAt(type: ResourceTypeForTagging, id: string, ctx: SsmContext): Tagged {
  const find = TAGGED[type];
  if (!find)
    throw awsError('NotImplemented', `emu does not implement tags of resources of type ${type} of ssm.`, {
      status: 501,
    });
  const found = find(id, ctx);
  if (!found) throw awsError('InvalidResourceId', `The resource ID "${id}" is not valid. Verify the ID and try again.`);
  return found;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_AddTagsToResource.html */
export function AddTagsToResource(input: InputOf<'AddTagsToResource'>, ctx: SsmContext): OutputOf<'AddTagsToResource'> {
  const tagged = taggedAt(input.ResourceType, input.ResourceId, ctx);
  tagged.change(addTags(tagged.tags, input.Tags));
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_RemoveTagsFromResource.html */
export function RemoveTagsFromResource(
  input: InputOf<'RemoveTagsFromResource'>,
  ctx: SsmContext,
): OutputOf<'RemoveTagsFromResource'> {
  const tagged = taggedAt(input.ResourceType, input.ResourceId, ctx);
  tagged.change(removeTags(tagged.tags, input.TagKeys));
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListTagsForResource.html */
export function ListTagsForResource(
  input: InputOf<'ListTagsForResource'>,
  ctx: SsmContext,
): OutputOf<'ListTagsForResource'> {
  return {
    TagList: listOfTags(taggedAt(input.ResourceType, input.ResourceId, ctx).tags),
  };
}
