import type {
  AddTagsToResourceRequest,
  ListTagsForResourceRequest,
  ListTagsForResourceResult,
  RemoveTagsFromResourceRequest,
  ResourceTypeForTagging,
} from '@emu/service-types/ssm';
import { awsError } from '@emu/wire';
import { findParameter, type ParameterTarget, type SsmContext } from '../lookup.ts';
import { readSelection } from '../parameters/names.ts';
import { addTags, listOfTags, removeTags } from '../tags.ts';

/** What a request tags. @throws AwsError `InvalidResourceId`; `NotImplemented` for types that emu does not have yet */
function taggedAt(type: ResourceTypeForTagging, id: string, ctx: SsmContext): ParameterTarget {
  if (type !== 'Parameter')
    throw awsError('NotImplemented', `emu does not implement tags of resources of type ${type} of ssm.`, {
      status: 501,
    });
  const target = findParameter(readSelection(id), ctx);
  if (!target)
    throw awsError('InvalidResourceId', `The resource ID "${id}" is not valid. Verify the ID and try again.`);
  return target;
}

/** https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_AddTagsToResource.html */
export function AddTagsToResource(input: AddTagsToResourceRequest, ctx: SsmContext): Record<string, never> {
  const { state, parameter } = taggedAt(input.ResourceType, input.ResourceId, ctx);
  const tags = addTags(parameter.tags, input.Tags);
  state.parameters.update(parameter.name, (draft) => {
    draft.tags = tags;
  });
  return {};
}

/** https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_RemoveTagsFromResource.html */
export function RemoveTagsFromResource(input: RemoveTagsFromResourceRequest, ctx: SsmContext): Record<string, never> {
  const { state, parameter } = taggedAt(input.ResourceType, input.ResourceId, ctx);
  state.parameters.update(parameter.name, (draft) => {
    draft.tags = removeTags(draft.tags, input.TagKeys);
  });
  return {};
}

/** https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListTagsForResource.html */
export const ListTagsForResource = (input: ListTagsForResourceRequest, ctx: SsmContext): ListTagsForResourceResult => ({
  TagList: listOfTags(taggedAt(input.ResourceType, input.ResourceId, ctx).parameter.tags),
});
