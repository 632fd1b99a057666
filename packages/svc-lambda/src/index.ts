import { definePlugin, functionHosts, provide } from '@emu/core';
import type { LambdaOperations } from '@emu/service-types/lambda';
import type { ServiceModel } from '@emu/wire';
import model from '../model/lambda.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { CreateAlias, DeleteAlias, GetAlias, ListAliases, UpdateAlias } from './operations/aliases.ts';
import {
  CreateCapacityProvider,
  DeleteCapacityProvider,
  GetCapacityProvider,
  ListCapacityProviders,
  ListFunctionVersionsByCapacityProvider,
  UpdateCapacityProvider,
} from './operations/capacity-providers.ts';
import {
  CreateCodeSigningConfig,
  DeleteCodeSigningConfig,
  DeleteFunctionCodeSigningConfig,
  GetCodeSigningConfig,
  GetFunctionCodeSigningConfig,
  ListCodeSigningConfigs,
  ListFunctionsByCodeSigningConfig,
  PutFunctionCodeSigningConfig,
  UpdateCodeSigningConfig,
} from './operations/code-signing.ts';
import {
  DeleteFunctionConcurrency,
  DeleteProvisionedConcurrencyConfig,
  GetFunctionConcurrency,
  GetProvisionedConcurrencyConfig,
  ListProvisionedConcurrencyConfigs,
  PutFunctionConcurrency,
  PutProvisionedConcurrencyConfig,
} from './operations/concurrency.ts';
import {
  CheckpointDurableExecution,
  GetDurableExecution,
  GetDurableExecutionHistory,
  GetDurableExecutionState,
  ListDurableExecutionsByFunction,
  SendDurableExecutionCallbackFailure,
  SendDurableExecutionCallbackHeartbeat,
  SendDurableExecutionCallbackSuccess,
  StopDurableExecution,
} from './operations/durable-executions.ts';
import {
  DeleteFunctionEventInvokeConfig,
  GetFunctionEventInvokeConfig,
  ListFunctionEventInvokeConfigs,
  PutFunctionEventInvokeConfig,
  UpdateFunctionEventInvokeConfig,
} from './operations/event-invoke-configs.ts';
import {
  CreateEventSourceMapping,
  DeleteEventSourceMapping,
  GetEventSourceMapping,
  ListEventSourceMappings,
  UpdateEventSourceMapping,
} from './operations/event-source-mappings.ts';
import {
  CreateFunctionUrlConfig,
  DeleteFunctionUrlConfig,
  GetFunctionUrlConfig,
  ListFunctionUrlConfigs,
  UpdateFunctionUrlConfig,
} from './operations/function-urls.ts';
import {
  CreateFunction,
  DeleteFunction,
  GetFunction,
  GetFunctionConfiguration,
  UpdateFunctionCode,
  UpdateFunctionConfiguration,
} from './operations/functions.ts';
import { Invoke, InvokeAsync, InvokeWithResponseStream } from './operations/invoke.ts';
import {
  AddLayerVersionPermission,
  DeleteLayerVersion,
  GetLayerVersion,
  GetLayerVersionByArn,
  GetLayerVersionPolicy,
  ListLayers,
  ListLayerVersions,
  PublishLayerVersion,
  RemoveLayerVersionPermission,
} from './operations/layers.ts';
import { AddPermission, GetPolicy, RemovePermission } from './operations/permissions.ts';
import {
  GetAccountSettings,
  GetFunctionRecursionConfig,
  GetFunctionScalingConfig,
  GetRuntimeManagementConfig,
  PutFunctionRecursionConfig,
  PutFunctionScalingConfig,
  PutRuntimeManagementConfig,
} from './operations/settings.ts';
import { ListTags, TagResource, UntagResource } from './operations/tags.ts';
import { ListFunctions, ListVersionsByFunction, PublishVersion } from './operations/versions.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resourceTypes } from './resources.ts';
import { executionControl } from './runtime/control.ts';
import { Executor } from './runtime/executor.ts';
import { ExecutionHost } from './runtime/host.ts';
import type { LambdaState } from './state.ts';
import { ownsHost, serveUrl } from './urls/serve.ts';
import { validationError } from './validation.ts';
import { createState } from './workers.ts';

/** AWS Lambda. */
export const plugin = definePlugin<LambdaOperations, LambdaState>({
  name: 'lambda',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  provides: [
    provide(functionHosts, (handle) => {
      const host = ExecutionHost.of(handle);
      return {
        emulatorUrl: () => host.emulatorUrl(),
        onMissingModule: (functionArn, told) => host.missingModules.listen(functionArn, told),
      };
    }),
  ],
  async onReset(service, accountId) {
    for (const scope of service.states())
      if (accountId === undefined || scope.accountId === accountId) await Executor.of(scope.state).close();
  },
  serve: serveUrl,
  ownsHost,
  control: [...control, ...executionControl],
  validationError,
  authorization,
  paging,
  resources: resourceTypes,
  operations: {
    AddLayerVersionPermission,
    AddPermission,
    CheckpointDurableExecution,
    CreateAlias,
    CreateCapacityProvider,
    CreateCodeSigningConfig,
    CreateEventSourceMapping,
    CreateFunction,
    CreateFunctionUrlConfig,
    DeleteAlias,
    DeleteCapacityProvider,
    DeleteCodeSigningConfig,
    DeleteEventSourceMapping,
    DeleteFunction,
    DeleteFunctionCodeSigningConfig,
    DeleteFunctionConcurrency,
    DeleteFunctionEventInvokeConfig,
    DeleteFunctionUrlConfig,
    DeleteLayerVersion,
    DeleteProvisionedConcurrencyConfig,
    GetAccountSettings,
    GetAlias,
    GetCapacityProvider,
    GetCodeSigningConfig,
    GetDurableExecution,
    GetDurableExecutionHistory,
    GetDurableExecutionState,
    GetEventSourceMapping,
    GetFunction,
    GetFunctionCodeSigningConfig,
    GetFunctionConcurrency,
    GetFunctionConfiguration,
    GetFunctionEventInvokeConfig,
    GetFunctionRecursionConfig,
    GetFunctionScalingConfig,
    GetFunctionUrlConfig,
    GetLayerVersion,
    GetLayerVersionByArn,
    GetLayerVersionPolicy,
    GetPolicy,
    GetProvisionedConcurrencyConfig,
    GetRuntimeManagementConfig,
    Invoke,
    InvokeAsync,
    InvokeWithResponseStream,
    ListAliases,
    ListCapacityProviders,
    ListCodeSigningConfigs,
    ListDurableExecutionsByFunction,
    ListEventSourceMappings,
    ListFunctionEventInvokeConfigs,
    ListFunctionUrlConfigs,
    ListFunctionVersionsByCapacityProvider,
    ListFunctions,
    ListFunctionsByCodeSigningConfig,
    ListLayerVersions,
    ListLayers,
    ListProvisionedConcurrencyConfigs,
    ListTags,
    ListVersionsByFunction,
    PublishLayerVersion,
    PublishVersion,
    PutFunctionCodeSigningConfig,
    PutFunctionConcurrency,
    PutFunctionEventInvokeConfig,
    PutFunctionRecursionConfig,
    PutFunctionScalingConfig,
    PutProvisionedConcurrencyConfig,
    PutRuntimeManagementConfig,
    RemoveLayerVersionPermission,
    RemovePermission,
    SendDurableExecutionCallbackFailure,
    SendDurableExecutionCallbackHeartbeat,
    SendDurableExecutionCallbackSuccess,
    StopDurableExecution,
    TagResource,
    UntagResource,
    UpdateAlias,
    UpdateCapacityProvider,
    UpdateCodeSigningConfig,
    UpdateEventSourceMapping,
    UpdateFunctionCode,
    UpdateFunctionConfiguration,
    UpdateFunctionEventInvokeConfig,
    UpdateFunctionUrlConfig,
  },
});
