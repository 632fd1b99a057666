import { definePlugin } from '@emu/core';
import type { ServiceModel } from '@emu/wire';
import model from '../model/lambda.json' with { type: 'json' };
import { control } from './control.ts';
import type { LambdaOperations } from './generated/lambda.ts';
import * as functions from './operations/functions.ts';
import { collections } from './records.ts';
import { createState, type LambdaState } from './state.ts';

/** AWS Lambda. */
export const plugin = definePlugin<LambdaOperations, LambdaState>({
  name: 'lambda',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  control,
  operations: {
    ...functions,
  },
});
