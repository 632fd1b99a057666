import { notEmulated, type TaggedResource, taggedRecord, tagOperations } from '@emu/core/service';
import type { ResourceTypeForTagging, SsmOperations } from '@emu/service-types/ssm';
import { associationType } from '../associations/resources.ts';
import type { SsmContext } from '../context.ts';
import { ssmError } from '../errors.ts';
import { findParameter } from '../lookup.ts';
import { opsItemType, opsMetadataType } from '../ops/resources.ts';
import { readSelection } from '../parameters/names.ts';
import { baselineType } from '../patches/resources.ts';
import { automationType, documentType, instanceType } from '../resources.ts';
import { tagging } from '../tags.ts';
import { windowType } from '../windows/resources.ts';

/** Finds a tagged resource by the id in requests. */
type Finder = (id: string, ctx: SsmContext) => TaggedResource<Record<string, string>> | undefined;

/** How tagged resources are found, by type, without unsupported types. */
const FINDERS: Partial<Readonly<Record<ResourceTypeForTagging, Finder>>> = {
  Parameter(id, ctx) {
    const target = findParameter(readSelection(id), ctx);
    return target && taggedRecord(target.state.parameters, target.parameter.name);
  },
  Automation: (id, { state }) => automationType.tagged(state, { id }),
  ManagedInstance: (id, { state }) => instanceType.tagged(state, { id }),
  Document: (name, { state }) => documentType.tagged(state, { name }),
  Association: (id, { state }) => associationType.tagged(state, { id }),
  MaintenanceWindow: (id, { state }) => windowType.tagged(state, { id }),
  PatchBaseline: (id, { state }) => baselineType.tagged(state, { id }),
  OpsItem: (id, { state }) => opsItemType.tagged(state, { id }),
  OpsMetadata: (id, { state }) => opsMetadataType.tagged(state, { id }),
};

/** Tags of resources by type and id. @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_AddTagsToResource.html */
export const tags = tagOperations<SsmOperations, SsmContext>()({
  tagging,
  tag: ['AddTagsToResource', 'Tags'],
  untag: ['RemoveTagsFromResource', 'TagKeys'],
  list: ['ListTagsForResource', 'TagList'],
  resource({ ResourceType, ResourceId }, ctx) {
    const find = FINDERS[ResourceType];
    if (!find) throw notEmulated(`tags of resources of type ${ResourceType} of ssm`);
    const found = find(ResourceId, ctx);
    if (!found)
      throw ssmError('InvalidResourceId', `The resource ID "${ResourceId}" is not valid. Verify the ID and try again.`);
    return found;
  },
});
