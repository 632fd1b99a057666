import { definePlugin } from '@emu/core/service';
import type { KinesisOperations } from '@emu/service-types/kinesis';
import type { ServiceModel } from '@emu/wire';
import model from '../model/kinesis.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import * as consumers from './operations/consumers.ts';
import * as policies from './operations/policies.ts';
import * as records from './operations/records.ts';
import * as settings from './operations/settings.ts';
import * as shards from './operations/shards.ts';
import * as streams from './operations/streams.ts';
import { tags } from './operations/tags.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { createState, type KinesisState } from './state.ts';
import { validationError } from './validation.ts';

/** Amazon Kinesis Data Streams. */
export const plugin = definePlugin<KinesisOperations, KinesisState>({
  name: 'kinesis',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  validationError,
  createState,
  authorization,
  paging,
  resources,
  operations: [consumers, policies, records, settings, shards, streams, tags],
});
