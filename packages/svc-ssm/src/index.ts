import { countCall, definePlugin } from '@emu/core/service';
import type { SsmOperations } from '@emu/service-types/ssm';
import type { ServiceModel } from '@emu/wire';
import model from '../model/ssm.json' with { type: 'json' };
import * as requests from './access/operations/requests.ts';
import * as associations from './associations/operations/associations.ts';
import * as executions from './associations/operations/executions.ts';
import { authorization } from './authorization.ts';
import * as changeRequests from './automation/operations/change-requests.ts';
import * as automationExecutions from './automation/operations/executions.ts';
import * as previews from './automation/operations/previews.ts';
import * as signals from './automation/operations/signals.ts';
import * as operations from './calendars/operations.ts';
import * as commands from './commands/operations/commands.ts';
import * as compliance from './compliance/operations/compliance.ts';
import { control } from './control.ts';
import { serveAttachment } from './documents/downloads.ts';
import * as documents from './documents/operations/documents.ts';
import * as listing from './documents/operations/listing.ts';
import * as reviews from './documents/operations/reviews.ts';
import * as sharing from './documents/operations/sharing.ts';
import * as versions from './documents/operations/versions.ts';
import * as inventory from './inventory/operations/inventory.ts';
import { RegisterManagedInstance } from './nodes/internal.ts';
import * as activations from './nodes/operations/activations.ts';
import * as instances from './nodes/operations/instances.ts';
import * as summaries from './nodes/operations/summaries.ts';
import * as labels from './operations/labels.ts';
import * as listingOperations from './operations/listing.ts';
import * as reads from './operations/reads.ts';
import * as settings from './operations/settings.ts';
import * as tags from './operations/tags.ts';
import * as writes from './operations/writes.ts';
import * as items from './ops/operations/items.ts';
import * as metadata from './ops/operations/metadata.ts';
import * as relatedItems from './ops/operations/related-items.ts';
import * as resourcePolicies from './ops/operations/resource-policies.ts';
import * as summary from './ops/operations/summary.ts';
import { paging } from './paging.ts';
import * as baselines from './patches/operations/baselines.ts';
import * as catalogue from './patches/operations/catalogue.ts';
import * as groups from './patches/operations/groups.ts';
import * as snapshots from './patches/operations/snapshots.ts';
import * as states from './patches/operations/states.ts';
import { serveSnapshot } from './patches/snapshots.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { openDataChannel } from './sessions/channel.ts';
import * as sessions from './sessions/operations/sessions.ts';
import { createState, type SsmState } from './state.ts';
import * as syncs from './sync/operations/syncs.ts';
import * as windowsExecutions from './windows/operations/executions.ts';
import * as targets from './windows/operations/targets.ts';
import * as tasks from './windows/operations/tasks.ts';
import * as windows from './windows/operations/windows.ts';

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
  operations: [
    activations,
    associations,
    automationExecutions,
    baselines,
    catalogue,
    changeRequests,
    commands,
    compliance,
    documents,
    executions,
    groups,
    instances,
    inventory,
    items,
    labels,
    listing,
    listingOperations,
    metadata,
    operations,
    previews,
    reads,
    relatedItems,
    requests,
    resourcePolicies,
    reviews,
    sessions,
    settings,
    sharing,
    signals,
    snapshots,
    states,
    summaries,
    summary,
    syncs,
    tags,
    targets,
    tasks,
    versions,
    windows,
    windowsExecutions,
    writes,
  ],
});
