import { definePlugin } from '@emu/core';
import type { ServiceModel } from '@emu/wire';
import model from '../model/s3control.json' with { type: 'json' };
import type { S3controlOperations } from './generated/s3control.ts';
import * as publicAccessBlock from './operations/public-access-block.ts';
import { collections } from './records.ts';
import { createState, type S3ControlState } from './state.ts';
import { validationError } from './validation.ts';

/** Amazon S3 Control. */
export const plugin = definePlugin<S3controlOperations, S3ControlState>({
  name: 's3control',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  validationError,
  operations: {
    ...publicAccessBlock,
  },
});
