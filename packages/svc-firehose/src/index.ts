import { definePlugin } from '@emu/core';
import type { FirehoseOperations } from '@emu/service-types/firehose';
import type { ServiceModel } from '@emu/wire';
import model from '../model/firehose.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { UpdateDestination } from './operations/destinations.ts';
import { StartDeliveryStreamEncryption, StopDeliveryStreamEncryption } from './operations/encryption.ts';
import { PutRecord, PutRecordBatch } from './operations/records.ts';
import {
  CreateDeliveryStream,
  DeleteDeliveryStream,
  DescribeDeliveryStream,
  ListDeliveryStreams,
} from './operations/streams.ts';
import { ListTagsForDeliveryStream, TagDeliveryStream, UntagDeliveryStream } from './operations/tags.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { createState, type FirehoseState } from './state.ts';

/** Amazon Data Firehose. */
export const plugin = definePlugin<FirehoseOperations, FirehoseState>({
  name: 'firehose',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization,
  control,
  resources,
  operations: {
    CreateDeliveryStream,
    DeleteDeliveryStream,
    DescribeDeliveryStream,
    ListDeliveryStreams,
    ListTagsForDeliveryStream,
    PutRecord,
    PutRecordBatch,
    StartDeliveryStreamEncryption,
    StopDeliveryStreamEncryption,
    TagDeliveryStream,
    UntagDeliveryStream,
    UpdateDestination,
  },
});
