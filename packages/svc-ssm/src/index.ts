import { countCall, definePlugin } from '@emu/core/service';
import type { SsmOperations } from '@emu/service-types/ssm';
import type { ServiceModel } from '@emu/wire';
import model from '../model/ssm.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { serveAttachment } from './documents/downloads.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import { RegisterManagedInstance } from './nodes/internal.ts';
import * as access from './operations/access.ts';
import * as associations from './operations/associations/associations.ts';
import * as associationExecutions from './operations/associations/executions.ts';
import * as changeRequests from './operations/automation/change-requests.ts';
import * as automationExecutions from './operations/automation/executions.ts';
import * as previews from './operations/automation/previews.ts';
import * as signals from './operations/automation/signals.ts';
import * as calendars from './operations/calendars.ts';
import * as commands from './operations/commands.ts';
import * as compliance from './operations/compliance.ts';
import * as documents from './operations/documents/documents.ts';
import * as documentListing from './operations/documents/listing.ts';
import * as reviews from './operations/documents/reviews.ts';
import * as sharing from './operations/documents/sharing.ts';
import * as documentVersions from './operations/documents/versions.ts';
import * as inventory from './operations/inventory.ts';
import * as activations from './operations/nodes/activations.ts';
import * as instances from './operations/nodes/instances.ts';
import * as summaries from './operations/nodes/summaries.ts';
import * as items from './operations/ops/items.ts';
import * as metadata from './operations/ops/metadata.ts';
import * as relatedItems from './operations/ops/related-items.ts';
import * as resourcePolicies from './operations/ops/resource-policies.ts';
import * as opsSummary from './operations/ops/summary.ts';
import * as labels from './operations/parameters/labels.ts';
import * as parameterListing from './operations/parameters/listing.ts';
import * as reads from './operations/parameters/reads.ts';
import * as writes from './operations/parameters/writes.ts';
import * as baselines from './operations/patches/baselines.ts';
import * as catalogue from './operations/patches/catalogue.ts';
import * as patchGroups from './operations/patches/groups.ts';
import * as patchSnapshots from './operations/patches/snapshots.ts';
import * as patchStates from './operations/patches/states.ts';
import * as sessions from './operations/sessions.ts';
import * as settings from './operations/settings.ts';
import * as syncs from './operations/sync.ts';
import { tags } from './operations/tags.ts';
import * as windowsExecutions from './operations/windows/executions.ts';
import * as targets from './operations/windows/targets.ts';
import * as tasks from './operations/windows/tasks.ts';
import * as windows from './operations/windows/windows.ts';
import { paging } from './paging.ts';
import { serveSnapshot } from './patches/snapshots.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { openDataChannel } from './sessions/channel.ts';
import { createState, type SsmState } from './state.ts';

/** AWS Systems Manager: Parameter Store, documents, Automation, Run Command and Session Manager. */
export const plugin = definePlugin<SsmOperations, SsmState>({
  name: 'ssm',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization,
  control,
  paging,
  resources,
  prepare(operation, _input, { http, state, clock }) {
    if (http) countCall(state.reported, { service: 'SSM', resource: operation }, clock.now());
    return undefined;
  },
  serve: (request, handle) => serveAttachment(request, handle) ?? serveSnapshot(request, handle),
  upgrade: openDataChannel,
  internal: { RegisterManagedInstance },
  ignoredIfEmpty,
  operations: [
    access,
    activations,
    associationExecutions,
    associations,
    automationExecutions,
    baselines,
    calendars,
    catalogue,
    changeRequests,
    commands,
    compliance,
    documentListing,
    documentVersions,
    documents,
    instances,
    inventory,
    items,
    labels,
    metadata,
    opsSummary,
    parameterListing,
    patchGroups,
    patchSnapshots,
    patchStates,
    previews,
    reads,
    relatedItems,
    resourcePolicies,
    reviews,
    sessions,
    settings,
    sharing,
    signals,
    summaries,
    syncs,
    tags,
    targets,
    tasks,
    windows,
    windowsExecutions,
    writes,
  ],
});
