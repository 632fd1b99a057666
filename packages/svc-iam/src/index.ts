import { definePlugin } from '@emu/core';
import type { ServiceModel } from '@emu/wire';
import model from '../model/iam.json' with { type: 'json' };
import { modelError } from './errors.ts';
import type { IamOperations } from './generated/iam.ts';
import * as users from './operations/users.ts';
import { collections } from './records.ts';
import { createState, type IamState } from './state.ts';

/** AWS Identity and Access Management. */
export const plugin = definePlugin<IamOperations, IamState>({
  name: 'iam',
  model: model as unknown as ServiceModel,
  stateScope: 'account',
  collections,
  createState,
  validationError: modelError,
  operations: {
    ...users,
  },
});
