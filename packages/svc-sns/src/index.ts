import { definePlugin } from '@emu/core';
import type { SnsOperations } from '@emu/service-types/sns';
import type { ServiceModel } from '@emu/wire';
import model from '../model/sns.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ConfirmSubscription, Unsubscribe } from './operations/confirmations.ts';
import { GetDataProtectionPolicy, PutDataProtectionPolicy } from './operations/data-protection.ts';
import { AddPermission, RemovePermission } from './operations/permissions.ts';
import {
  CreatePlatformApplication,
  CreatePlatformEndpoint,
  DeleteEndpoint,
  DeletePlatformApplication,
  GetEndpointAttributes,
  GetPlatformApplicationAttributes,
  ListEndpointsByPlatformApplication,
  ListPlatformApplications,
  SetEndpointAttributes,
  SetPlatformApplicationAttributes,
} from './operations/platform.ts';
import { Publish, PublishBatch } from './operations/publish.ts';
import {
  CheckIfPhoneNumberIsOptedOut,
  CreateSMSSandboxPhoneNumber,
  DeleteSMSSandboxPhoneNumber,
  GetSMSAttributes,
  GetSMSSandboxAccountStatus,
  ListOriginationNumbers,
  ListPhoneNumbersOptedOut,
  ListSMSSandboxPhoneNumbers,
  OptInPhoneNumber,
  SetSMSAttributes,
  VerifySMSSandboxPhoneNumber,
} from './operations/sms.ts';
import { GetSubscriptionAttributes, SetSubscriptionAttributes } from './operations/subscription-attributes.ts';
import { ListSubscriptions, ListSubscriptionsByTopic, Subscribe } from './operations/subscriptions.ts';
import { ListTagsForResource, TagResource, UntagResource } from './operations/tags.ts';
import { CreateTopic, DeleteTopic, GetTopicAttributes, ListTopics, SetTopicAttributes } from './operations/topics.ts';
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
  operations: {
    AddPermission,
    CheckIfPhoneNumberIsOptedOut,
    ConfirmSubscription,
    CreatePlatformApplication,
    CreatePlatformEndpoint,
    CreateSMSSandboxPhoneNumber,
    CreateTopic,
    DeleteEndpoint,
    DeletePlatformApplication,
    DeleteSMSSandboxPhoneNumber,
    DeleteTopic,
    GetDataProtectionPolicy,
    GetEndpointAttributes,
    GetPlatformApplicationAttributes,
    GetSMSAttributes,
    GetSMSSandboxAccountStatus,
    GetSubscriptionAttributes,
    GetTopicAttributes,
    ListEndpointsByPlatformApplication,
    ListOriginationNumbers,
    ListPhoneNumbersOptedOut,
    ListPlatformApplications,
    ListSMSSandboxPhoneNumbers,
    ListSubscriptions,
    ListSubscriptionsByTopic,
    ListTagsForResource,
    ListTopics,
    OptInPhoneNumber,
    Publish,
    PublishBatch,
    PutDataProtectionPolicy,
    RemovePermission,
    SetEndpointAttributes,
    SetPlatformApplicationAttributes,
    SetSMSAttributes,
    SetSubscriptionAttributes,
    SetTopicAttributes,
    Subscribe,
    TagResource,
    Unsubscribe,
    UntagResource,
    VerifySMSSandboxPhoneNumber,
  },
});
