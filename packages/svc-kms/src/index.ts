import { definePlugin } from '@emu/core';
import type { KmsOperations } from '@emu/service-types/kms';
import type { ServiceModel } from '@emu/wire';
import model from '../model/kms.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { CreateAlias, DeleteAlias, ListAliases, UpdateAlias } from './operations/aliases.ts';
import {
  ConnectCustomKeyStore,
  CreateCustomKeyStore,
  DeleteCustomKeyStore,
  DescribeCustomKeyStores,
  DisconnectCustomKeyStore,
  UpdateCustomKeyStore,
} from './operations/custom-key-stores.ts';
import {
  GenerateDataKey,
  GenerateDataKeyPair,
  GenerateDataKeyPairWithoutPlaintext,
  GenerateDataKeyWithoutPlaintext,
  GenerateRandom,
} from './operations/data-keys.ts';
import { Decrypt, Encrypt, ReEncrypt } from './operations/encryption.ts';
import { CreateGrant, ListGrants, ListRetirableGrants, RetireGrant, RevokeGrant } from './operations/grants.ts';
import { DeleteImportedKeyMaterial, GetParametersForImport, ImportKeyMaterial } from './operations/imports.ts';
import {
  CancelKeyDeletion,
  CreateKey,
  DescribeKey,
  DisableKey,
  EnableKey,
  GetKeyLastUsage,
  ListKeys,
  ScheduleKeyDeletion,
  UpdateKeyDescription,
} from './operations/keys.ts';
import { ReplicateKey, UpdatePrimaryRegion } from './operations/multi-region.ts';
import {
  GetKeyPolicy,
  ListKeyPolicies,
  ListResourceTags,
  PutKeyPolicy,
  TagResource,
  UntagResource,
} from './operations/policies-tags.ts';
import {
  DisableKeyRotation,
  EnableKeyRotation,
  GetKeyRotationStatus,
  ListKeyRotations,
  RotateKeyOnDemand,
} from './operations/rotation.ts';
import { DeriveSharedSecret, GenerateMac, GetPublicKey, Sign, Verify, VerifyMac } from './operations/signing.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { aliasType, keyType } from './resources.ts';
import { createState, type KmsState } from './state.ts';

/** AWS Key Management Service. */
export const plugin = definePlugin<KmsOperations, KmsState>({
  name: 'kms',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  control,
  authorization,
  paging,
  resources: [aliasType, keyType],
  operations: {
    CancelKeyDeletion,
    ConnectCustomKeyStore,
    CreateAlias,
    CreateCustomKeyStore,
    CreateGrant,
    CreateKey,
    Decrypt,
    DeleteAlias,
    DeleteCustomKeyStore,
    DeleteImportedKeyMaterial,
    DeriveSharedSecret,
    DescribeCustomKeyStores,
    DescribeKey,
    DisableKey,
    DisableKeyRotation,
    DisconnectCustomKeyStore,
    EnableKey,
    EnableKeyRotation,
    Encrypt,
    GenerateDataKey,
    GenerateDataKeyPair,
    GenerateDataKeyPairWithoutPlaintext,
    GenerateDataKeyWithoutPlaintext,
    GenerateMac,
    GenerateRandom,
    GetKeyLastUsage,
    GetKeyPolicy,
    GetKeyRotationStatus,
    GetParametersForImport,
    GetPublicKey,
    ImportKeyMaterial,
    ListAliases,
    ListGrants,
    ListKeyPolicies,
    ListKeyRotations,
    ListKeys,
    ListResourceTags,
    ListRetirableGrants,
    PutKeyPolicy,
    ReEncrypt,
    ReplicateKey,
    RetireGrant,
    RevokeGrant,
    RotateKeyOnDemand,
    ScheduleKeyDeletion,
    Sign,
    TagResource,
    UntagResource,
    UpdateAlias,
    UpdateCustomKeyStore,
    UpdateKeyDescription,
    UpdatePrimaryRegion,
    Verify,
    VerifyMac,
  },
});
