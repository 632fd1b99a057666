import { definePlugin } from '@emu/core';
import type { SecretsmanagerOperations } from '@emu/service-types/secretsmanager';
import type { ServiceModel } from '@emu/wire';
import model from '../model/secretsmanager.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ListSecrets } from './operations/lists.ts';
import { GetRandomPassword } from './operations/passwords.ts';
import {
  DeleteResourcePolicy,
  GetResourcePolicy,
  PutResourcePolicy,
  ValidateResourcePolicy,
} from './operations/policies.ts';
import {
  RemoveRegionsFromReplication,
  ReplicateSecretToRegions,
  StopReplicationToReplica,
} from './operations/replication.ts';
import { CancelRotateSecret, RotateSecret } from './operations/rotation.ts';
import { CreateSecret, DeleteSecret, DescribeSecret, RestoreSecret, UpdateSecret } from './operations/secrets.ts';
import { TagResource, UntagResource } from './operations/tags.ts';
import {
  BatchGetSecretValue,
  GetSecretValue,
  ListSecretVersionIds,
  PutSecretValue,
  UpdateSecretVersionStage,
} from './operations/values.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { secretType } from './resources.ts';
import { resumeRotations, rotateDue } from './rotation.ts';
import { SecretsState } from './state.ts';

/** AWS Secrets Manager. */
export const plugin = definePlugin<SecretsmanagerOperations, SecretsState>({
  name: 'secretsmanager',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState: (scope) =>
    new SecretsState(scope, {
      rotate: async (state, secret) => {
        await rotateDue(state, secret);
      },
      resume: resumeRotations,
    }),
  control,
  authorization,
  paging,
  resources: [secretType],
  operations: {
    BatchGetSecretValue,
    CancelRotateSecret,
    CreateSecret,
    DeleteResourcePolicy,
    DeleteSecret,
    DescribeSecret,
    GetRandomPassword,
    GetResourcePolicy,
    GetSecretValue,
    ListSecretVersionIds,
    ListSecrets,
    PutResourcePolicy,
    PutSecretValue,
    RemoveRegionsFromReplication,
    ReplicateSecretToRegions,
    RestoreSecret,
    RotateSecret,
    StopReplicationToReplica,
    TagResource,
    UntagResource,
    UpdateSecret,
    UpdateSecretVersionStage,
    ValidateResourcePolicy,
  },
});
