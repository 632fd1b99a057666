import { definePlugin } from '@emu/core';
import type { ServiceModel } from '@emu/wire';
import model from '../model/lambda.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { DurableEngine } from './durable/engine.ts';
import { EventSourcePollers } from './event-sources/pollers.ts';
import type { LambdaOperations } from './generated/lambda.ts';
import * as aliases from './operations/aliases.ts';
import * as capacityProviders from './operations/capacity-providers.ts';
import * as codeSigning from './operations/code-signing.ts';
import * as concurrency from './operations/concurrency.ts';
import * as durableExecutions from './operations/durable-executions.ts';
import * as eventInvokeConfigs from './operations/event-invoke-configs.ts';
import * as eventSourceMappings from './operations/event-source-mappings.ts';
import * as functionUrls from './operations/function-urls.ts';
import * as functions from './operations/functions.ts';
import { Invoke, InvokeAsync, InvokeWithResponseStream } from './operations/invoke.ts';
import * as layers from './operations/layers.ts';
import * as permissions from './operations/permissions.ts';
import * as settings from './operations/settings.ts';
import * as tags from './operations/tags.ts';
import * as versions from './operations/versions.ts';
import { collections } from './records.ts';
import { AsyncQueue } from './runtime/async-queue.ts';
import { executionControl } from './runtime/control.ts';
import { Executor } from './runtime/executor.ts';
import { createState, type LambdaState } from './state.ts';
import { ownsHost, serveUrl } from './urls/serve.ts';
import { validationError } from './validation.ts';

/** AWS Lambda. */
export const plugin = definePlugin<LambdaOperations, LambdaState>({
  name: 'lambda',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState(scope) {
    const state = createState(scope);
    AsyncQueue.resume(state);
    DurableEngine.resume(state);
    EventSourcePollers.reconcile(state);
    return state;
  },
  async onReset(service, accountId) {
    for (const scope of service.states())
      if (accountId === undefined || scope.accountId === accountId) await Executor.existing(scope.state)?.close();
  },
  serve: serveUrl,
  ownsHost,
  control: [...control, ...executionControl],
  validationError,
  authorization,
  operations: {
    ...functions,
    Invoke,
    InvokeAsync,
    InvokeWithResponseStream,
    ...versions,
    ...aliases,
    ...permissions,
    ...concurrency,
    ...functionUrls,
    ...eventInvokeConfigs,
    ...eventSourceMappings,
    ...durableExecutions,
    ...layers,
    ...codeSigning,
    ...capacityProviders,
    ...settings,
    ...tags,
  },
});
