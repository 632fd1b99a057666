import { definePlugin } from '@emu/core/service';
import type { SecretsmanagerOperations } from '@emu/service-types/secretsmanager';
import type { ServiceModel } from '@emu/wire';
import model from '../model/secretsmanager.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import * as lists from './operations/lists.ts';
import * as passwords from './operations/passwords.ts';
import * as policies from './operations/policies.ts';
import * as replication from './operations/replication.ts';
import * as rotation from './operations/rotation.ts';
import * as secrets from './operations/secrets.ts';
import { tags } from './operations/tags.ts';
import * as values from './operations/values.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { secretType } from './resources.ts';
import { interruptedRotations, rotateDue } from './rotation.ts';
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
      interrupted: interruptedRotations,
    }),
  control,
  authorization,
  paging,
  resources: [secretType],
  operations: [lists, passwords, policies, replication, rotation, secrets, tags, values],
});
