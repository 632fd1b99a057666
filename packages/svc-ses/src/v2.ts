import { definePlugin } from '@emu/core/service';
import type { Sesv2Operations } from '@emu/service-types/sesv2';
import type { ServiceModel } from '@emu/wire';
import model from '../model/sesv2.json' with { type: 'json' };
import { v2Authorization as authorization } from './authorization.ts';
import { ignoredIfEmpty } from './ignored-members-v2.ts';
import * as account from './operations/v2/account.ts';
import * as configurationSets from './operations/v2/configuration-sets.ts';
import * as contacts from './operations/v2/contacts.ts';
import * as dedicatedIps from './operations/v2/dedicated-ips.ts';
import * as deliverability from './operations/v2/deliverability.ts';
import * as exports from './operations/v2/exports.ts';
import * as identities from './operations/v2/identities.ts';
import * as infrastructure from './operations/v2/infrastructure.ts';
import * as insights from './operations/v2/insights.ts';
import * as jobs from './operations/v2/jobs.ts';
import * as sending from './operations/v2/sending.ts';
import { tags } from './operations/v2/tags.ts';
import * as templates from './operations/v2/templates.ts';
import * as tenants from './operations/v2/tenants.ts';
import { v2Paging as paging } from './paging.ts';
import { resources } from './resources.ts';
import type { SesState } from './state.ts';
import { violations } from './validation.ts';

/** Amazon Simple Email Service API version 2, on the state of version 1. */
export const plugin = definePlugin<Sesv2Operations, SesState>({
  name: 'sesv2',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  stateOf: 'ses',
  collections: [],
  authorization,
  paging,
  resources,
  validationError: (failures) => violations(failures, 'BadRequestException'),
  ignoredIfEmpty,
  operations: [
    account,
    configurationSets,
    contacts,
    dedicatedIps,
    deliverability,
    exports,
    identities,
    infrastructure,
    insights,
    jobs,
    sending,
    tags,
    templates,
    tenants,
  ],
});
