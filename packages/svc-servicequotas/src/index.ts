import { definePlugin, provide } from '@emu/core/service';
import type { ServicequotasOperations } from '@emu/service-types/servicequotas';
import type { ServiceModel } from '@emu/wire';
import model from '../model/servicequotas.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as automaticManagement from './operations/automatic-management.ts';
import * as quotas from './operations/quotas.ts';
import * as reports from './operations/reports.ts';
import * as requests from './operations/requests.ts';
import { tags } from './operations/tags.ts';
import * as templates from './operations/templates.ts';
import { SERVICE_QUOTAS_OPTIONS } from './options.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { type RequestApproval, requestApproval } from './requests/approval.ts';
import { resources } from './resources.ts';
import { createState, type ServicequotasState } from './state.ts';

/** Service Quotas. */
export const plugin = definePlugin<ServicequotasOperations, ServicequotasState>({
  name: 'servicequotas',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization,
  ignoredIfEmpty,
  paging,
  resources,
  control,
  provides: [
    provide(
      requestApproval,
      ({ settings }): RequestApproval => ({ mode: settings.of(SERVICE_QUOTAS_OPTIONS).EMULATOR_QUOTA_REQUESTS }),
    ),
  ],
  operations: [automaticManagement, quotas, reports, requests, tags, templates],
});
