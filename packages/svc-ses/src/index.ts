import { definePlugin } from '@emu/core/service';
import type { SesOperations } from '@emu/service-types/ses';
import type { ServiceModel } from '@emu/wire';
import model from '../model/ses.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import { ownsHost, serve } from './mail/pages.ts';
import * as configurationSets from './operations/v1/configuration-sets.ts';
import * as identities from './operations/v1/identities.ts';
import * as notifications from './operations/v1/notifications.ts';
import * as receiving from './operations/v1/receiving.ts';
import * as sending from './operations/v1/sending.ts';
import * as templates from './operations/v1/templates.ts';
import * as verificationTemplates from './operations/v1/verification-templates.ts';
import { SES_OPTIONS } from './options.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { SmtpListener } from './smtp/server.ts';
import { createState, type SesState } from './state.ts';
import { violations } from './validation.ts';

/** Amazon Simple Email Service API version 1, with the state of both versions. */
export const plugin = definePlugin<SesOperations, SesState>({
  name: 'ses',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  openData: async () => new SmtpListener(),
  createState,
  authorization,
  control,
  paging,
  resources,
  serve,
  ownsHost,
  onStart: async (handle) => {
    if (!handle.settings.of(SES_OPTIONS).EMULATOR_SMTP) return;
    const { accountId, region } = handle.settings;
    await (handle.state(accountId, region).scope.data as SmtpListener).open(handle);
  },
  // One operation has its own recorded message for an unknown enum value.
  validationError: (failures, operation) =>
    operation === 'SetIdentityHeadersInNotificationsEnabled' &&
    failures.every(({ constraint }) => constraint === 'enum')
      ? null
      : violations(failures, 'ValidationError'),
  ignoredIfEmpty,
  operations: [configurationSets, identities, notifications, receiving, sending, templates, verificationTemplates],
});
