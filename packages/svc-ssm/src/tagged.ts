import type { ResourceTypeForTagging } from '@emu/service-types/ssm';
import type { SsmContext } from './context.ts';
import { findParameter } from './lookup.ts';
import { readSelection } from './parameters/names.ts';

/** A resource with tags. */
export interface Tagged {
  readonly tags: Readonly<Record<string, string>>;
  /** Replaces the tags. */
  change(tags: Record<string, string>): void;
}

/** A table of records with tags, by id. */
interface TaggedTable {
  get(id: string): { readonly tags: Readonly<Record<string, string>> } | undefined;
  update(id: string, change: (draft: { tags: Record<string, string> }) => void): unknown;
}

/** Returns the tags of a record in a table; undefined if it does not exist. */
function inTable(table: TaggedTable, id: string): Tagged | undefined {
  const record = table.get(id);
  if (!record) return undefined;
  const change = (tags: Record<string, string>): void => {
    table.update(id, (draft) => {
      draft.tags = tags;
    });
  };
  return { tags: record.tags, change };
}

/** Lookups of tagged resources by the id in requests, by resource type, without unsupported types. */
export const TAGGED: Partial<
  Readonly<Record<ResourceTypeForTagging, (id: string, ctx: SsmContext) => Tagged | undefined>>
> = {
  Parameter(id, ctx) {
    const target = findParameter(readSelection(id), ctx);
    return target && inTable(target.state.parameters, target.parameter.name);
  },
  Automation: (id, { state }) => inTable(state.automations, id),
  ManagedInstance: (id, { state }) => inTable(state.nodes.instances, id),
  Document: (id, { state }) => inTable(state.documents, id),
  Association: (id, { state }) => inTable(state.associations.associations, id),
  MaintenanceWindow: (id, { state }) => inTable(state.windows.windows, id),
  PatchBaseline: (id, { state }) => inTable(state.patches.baselines, id),
  OpsItem: (id, { state }) => inTable(state.ops.items, id),
  OpsMetadata: (id, { state }) => inTable(state.ops.metadata, id),
};
