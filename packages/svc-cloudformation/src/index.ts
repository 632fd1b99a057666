import { definePlugin, provide, publicTypes, resourceHooks } from '@emu/core/service';
import type { CloudformationOperations } from '@emu/service-types/cloudformation';
import type { ServiceModel } from '@emu/wire';
import model from '../model/cloudformation.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { collections } from './collections.ts';
import { modelError } from './errors.ts';
import { hooksOf } from './hooks/resources.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as activation from './operations/activation.ts';
import * as changeSetDescriptions from './operations/change-set-descriptions.ts';
import * as changeSets from './operations/change-sets.ts';
import * as describe from './operations/describe.ts';
import * as drift from './operations/drift.ts';
import * as events from './operations/events.ts';
import * as generatedTemplates from './operations/generated-templates.ts';
import * as hooks from './operations/hooks.ts';
import * as modules from './operations/modules.ts';
import * as organizations from './operations/organizations.ts';
import * as publishing from './operations/publishing.ts';
import * as resourceScans from './operations/resource-scans.ts';
import * as stackInstances from './operations/stack-instances.ts';
import * as stackRefactors from './operations/stack-refactors.ts';
import * as stackSetOperations from './operations/stack-set-operations.ts';
import * as stackSets from './operations/stack-sets.ts';
import * as stacks from './operations/stacks.ts';
import * as templates from './operations/templates.ts';
import * as typeConfigurations from './operations/type-configurations.ts';
import * as types from './operations/types.ts';
import { paging } from './paging.ts';
import { serveResponse } from './resource-types/response-url.ts';
import { resources } from './resources.ts';
import { type CloudformationState, createState } from './state.ts';
import { isPublicType } from './templates/resource-types.ts';

/** AWS CloudFormation. */
export const plugin = definePlugin<CloudformationOperations, CloudformationState>({
  name: 'cloudformation',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  authorization,
  collections,
  createState,
  validationError: modelError,
  paging,
  resources,
  serve: serveResponse,
  provides: [provide(publicTypes, () => ({ has: isPublicType })), provide(resourceHooks, hooksOf)],
  ignoredIfEmpty,
  operations: [
    activation,
    changeSetDescriptions,
    changeSets,
    describe,
    drift,
    events,
    generatedTemplates,
    hooks,
    modules,
    organizations,
    publishing,
    resourceScans,
    stackInstances,
    stackRefactors,
    stackSetOperations,
    stackSets,
    stacks,
    templates,
    typeConfigurations,
    types,
  ],
});
