import { definePlugin, functionHosts, provide } from '@emu/core/service';
import type { LambdaInternalOperations } from '@emu/service-types/internal/lambda';
import type { LambdaOperations } from '@emu/service-types/lambda';
import type { ServiceModel } from '@emu/wire';
import model from '../model/lambda.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as aliases from './operations/aliases.ts';
import * as capacityProviders from './operations/capacity-providers.ts';
import * as codeSigning from './operations/code-signing.ts';
import * as concurrency from './operations/concurrency.ts';
import * as durableExecutions from './operations/durable-executions.ts';
import * as eventInvokeConfigs from './operations/event-invoke-configs.ts';
import * as eventSourceMappings from './operations/event-source-mappings.ts';
import * as functionUrls from './operations/function-urls.ts';
import * as functions from './operations/functions.ts';
import * as invoke from './operations/invoke.ts';
import * as layers from './operations/layers.ts';
import * as permissions from './operations/permissions.ts';
import * as settings from './operations/settings.ts';
import { tags } from './operations/tags.ts';
import * as versions from './operations/versions.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resourceTypes } from './resources.ts';
import { executionControl } from './runtime/control.ts';
import { Executor } from './runtime/executor.ts';
import { ExecutionHost } from './runtime/host.ts';
import type { LambdaState } from './state.ts';
import { ownsHost, pathOfHost, serveUrl } from './urls/serve.ts';
import { validationError } from './validation.ts';
import { createState } from './workers.ts';

/** AWS Lambda. */
export const plugin = definePlugin<LambdaOperations, LambdaState>({
  name: 'lambda',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  internal: {
    // Only its permission exists.
    InvokeUrl: (_input: LambdaInternalOperations['InvokeUrl']['input']) => ({}),
  },
  collections,
  createState,
  provides: [
    provide(functionHosts, (handle) => {
      const host = ExecutionHost.of(handle);
      return {
        emulatorUrl: () => host.emulatorUrl(),
        onMissingModule: (functionArn, listener) => host.missingModules.listen(functionArn, listener),
        missingModuleAdvice: (message) => host.missingModuleAdvice(message),
      };
    }),
  ],
  async onReset(service, accountId) {
    for (const scope of service.states())
      if (accountId === undefined || scope.accountId === accountId) await Executor.of(scope.state).close();
  },
  serve: serveUrl,
  ownsHost,
  pathOfHost,
  control: [...control, ...executionControl],
  validationError,
  authorization,
  paging,
  resources: resourceTypes,
  ignoredIfEmpty,
  operations: [
    aliases,
    capacityProviders,
    codeSigning,
    concurrency,
    durableExecutions,
    eventInvokeConfigs,
    eventSourceMappings,
    functionUrls,
    functions,
    invoke,
    layers,
    permissions,
    settings,
    tags,
    versions,
  ],
});
