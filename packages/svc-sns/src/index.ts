import { definePlugin } from '@emu/core/service';
import type { SnsOperations } from '@emu/service-types/sns';
import type { ServiceModel } from '@emu/wire';
import model from '../model/sns.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as confirmations from './operations/confirmations.ts';
import * as dataProtection from './operations/data-protection.ts';
import * as permissions from './operations/permissions.ts';
import * as platform from './operations/platform.ts';
import * as publish from './operations/publish.ts';
import * as sms from './operations/sms.ts';
import * as subscriptionAttributes from './operations/subscription-attributes.ts';
import * as subscriptions from './operations/subscriptions.ts';
import { tags } from './operations/tags.ts';
import * as topics from './operations/topics.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { createState, type SnsState } from './state.ts';
import { validationError } from './validation.ts';

/** Amazon Simple Notification Service. */
export const plugin = definePlugin<SnsOperations, SnsState>({
  name: 'sns',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  validationError,
  authorization,
  control,
  paging,
  resources,
  ignoredIfEmpty,
  operations: [
    confirmations,
    dataProtection,
    permissions,
    platform,
    publish,
    sms,
    subscriptionAttributes,
    subscriptions,
    tags,
    topics,
  ],
});
