import { definePlugin } from '@emu/core/service';
import type { FirehoseOperations } from '@emu/service-types/firehose';
import type { ServiceModel } from '@emu/wire';
import model from '../model/firehose.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as destinations from './operations/destinations.ts';
import * as encryption from './operations/encryption.ts';
import * as records from './operations/records.ts';
import * as streams from './operations/streams.ts';
import { tags } from './operations/tags.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { createState, type FirehoseState } from './state.ts';
import { validationError } from './validation.ts';

/** Amazon Data Firehose. */
export const plugin = definePlugin<FirehoseOperations, FirehoseState>({
  name: 'firehose',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  validationError,
  createState,
  authorization,
  control,
  resources,
  ignoredIfEmpty,
  operations: [destinations, encryption, records, streams, tags],
});
