import { definePlugin } from '@emu/core';
import type { SesOperations } from '@emu/service-types/ses';
import { type ServiceModel, validationError } from '@emu/wire';
import model from '../model/ses.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ownsHost, serve } from './mail/pages.ts';
import {
  CreateConfigurationSet,
  CreateConfigurationSetEventDestination,
  CreateConfigurationSetTrackingOptions,
  DeleteConfigurationSet,
  DeleteConfigurationSetEventDestination,
  DeleteConfigurationSetTrackingOptions,
  DescribeConfigurationSet,
  ListConfigurationSets,
  PutConfigurationSetDeliveryOptions,
  UpdateConfigurationSetEventDestination,
  UpdateConfigurationSetReputationMetricsEnabled,
  UpdateConfigurationSetSendingEnabled,
  UpdateConfigurationSetTrackingOptions,
} from './operations/v1/configuration-sets.ts';
import {
  DeleteIdentity,
  DeleteVerifiedEmailAddress,
  GetIdentityDkimAttributes,
  GetIdentityMailFromDomainAttributes,
  GetIdentityVerificationAttributes,
  ListIdentities,
  ListVerifiedEmailAddresses,
  SetIdentityDkimEnabled,
  SetIdentityMailFromDomain,
  VerifyDomainDkim,
  VerifyDomainIdentity,
  VerifyEmailAddress,
  VerifyEmailIdentity,
} from './operations/v1/identities.ts';
import {
  DeleteIdentityPolicy,
  GetIdentityNotificationAttributes,
  GetIdentityPolicies,
  ListIdentityPolicies,
  PutIdentityPolicy,
  SetIdentityFeedbackForwardingEnabled,
  SetIdentityHeadersInNotificationsEnabled,
  SetIdentityNotificationTopic,
} from './operations/v1/notifications.ts';
import {
  CloneReceiptRuleSet,
  CreateReceiptFilter,
  CreateReceiptRule,
  CreateReceiptRuleSet,
  DeleteReceiptFilter,
  DeleteReceiptRule,
  DeleteReceiptRuleSet,
  DescribeActiveReceiptRuleSet,
  DescribeReceiptRule,
  DescribeReceiptRuleSet,
  ListReceiptFilters,
  ListReceiptRuleSets,
  ReorderReceiptRuleSet,
  SetActiveReceiptRuleSet,
  SetReceiptRulePosition,
  UpdateReceiptRule,
} from './operations/v1/receiving.ts';
import {
  GetAccountSendingEnabled,
  GetSendQuota,
  GetSendStatistics,
  SendBounce,
  SendBulkTemplatedEmail,
  SendEmail,
  SendRawEmail,
  SendTemplatedEmail,
  UpdateAccountSendingEnabled,
} from './operations/v1/sending.ts';
import {
  CreateTemplate,
  DeleteTemplate,
  GetTemplate,
  ListTemplates,
  TestRenderTemplate,
  UpdateTemplate,
} from './operations/v1/templates.ts';
import {
  CreateCustomVerificationEmailTemplate,
  DeleteCustomVerificationEmailTemplate,
  GetCustomVerificationEmailTemplate,
  ListCustomVerificationEmailTemplates,
  SendCustomVerificationEmail,
  UpdateCustomVerificationEmailTemplate,
} from './operations/v1/verification-templates.ts';
import { SES_OPTIONS } from './options.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { SmtpListener } from './smtp/server.ts';
import { createState, type SesState } from './state.ts';

/** Amazon Simple Email Service, version 1 of its API, with the state of both. */
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
  // One operation has a sentence of its own for a value that its model does not know, as recorded.
  validationError: (failures, operation) =>
    operation === 'SetIdentityHeadersInNotificationsEnabled' &&
    failures.every(({ constraint }) => constraint === 'enum')
      ? null
      : validationError(failures, 'ValidationError'),
  operations: {
    CloneReceiptRuleSet,
    CreateConfigurationSet,
    CreateConfigurationSetEventDestination,
    CreateConfigurationSetTrackingOptions,
    CreateCustomVerificationEmailTemplate,
    CreateReceiptFilter,
    CreateReceiptRule,
    CreateReceiptRuleSet,
    CreateTemplate,
    DeleteConfigurationSet,
    DeleteConfigurationSetEventDestination,
    DeleteConfigurationSetTrackingOptions,
    DeleteCustomVerificationEmailTemplate,
    DeleteIdentity,
    DeleteIdentityPolicy,
    DeleteReceiptFilter,
    DeleteReceiptRule,
    DeleteReceiptRuleSet,
    DeleteTemplate,
    DeleteVerifiedEmailAddress,
    DescribeActiveReceiptRuleSet,
    DescribeConfigurationSet,
    DescribeReceiptRule,
    DescribeReceiptRuleSet,
    GetAccountSendingEnabled,
    GetCustomVerificationEmailTemplate,
    GetIdentityDkimAttributes,
    GetIdentityMailFromDomainAttributes,
    GetIdentityNotificationAttributes,
    GetIdentityPolicies,
    GetIdentityVerificationAttributes,
    GetSendQuota,
    GetSendStatistics,
    GetTemplate,
    ListConfigurationSets,
    ListCustomVerificationEmailTemplates,
    ListIdentities,
    ListIdentityPolicies,
    ListReceiptFilters,
    ListReceiptRuleSets,
    ListTemplates,
    ListVerifiedEmailAddresses,
    PutConfigurationSetDeliveryOptions,
    PutIdentityPolicy,
    ReorderReceiptRuleSet,
    SendBounce,
    SendBulkTemplatedEmail,
    SendCustomVerificationEmail,
    SendEmail,
    SendRawEmail,
    SendTemplatedEmail,
    SetActiveReceiptRuleSet,
    SetIdentityDkimEnabled,
    SetIdentityFeedbackForwardingEnabled,
    SetIdentityHeadersInNotificationsEnabled,
    SetIdentityMailFromDomain,
    SetIdentityNotificationTopic,
    SetReceiptRulePosition,
    TestRenderTemplate,
    UpdateAccountSendingEnabled,
    UpdateConfigurationSetEventDestination,
    UpdateConfigurationSetReputationMetricsEnabled,
    UpdateConfigurationSetSendingEnabled,
    UpdateConfigurationSetTrackingOptions,
    UpdateCustomVerificationEmailTemplate,
    UpdateReceiptRule,
    UpdateTemplate,
    VerifyDomainDkim,
    VerifyDomainIdentity,
    VerifyEmailAddress,
    VerifyEmailIdentity,
  },
});
