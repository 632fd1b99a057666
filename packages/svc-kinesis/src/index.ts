import { definePlugin } from '@emu/core';
import type { KinesisOperations } from '@emu/service-types/kinesis';
import type { ServiceModel } from '@emu/wire';
import model from '../model/kinesis.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import {
  DeregisterStreamConsumer,
  DescribeStreamConsumer,
  ListStreamConsumers,
  RegisterStreamConsumer,
  SubscribeToShard,
} from './operations/consumers.ts';
import { DeleteResourcePolicy, GetResourcePolicy, PutResourcePolicy } from './operations/policies.ts';
import { GetRecords, GetShardIterator, PutRecord, PutRecords } from './operations/records.ts';
import {
  DecreaseStreamRetentionPeriod,
  DescribeAccountSettings,
  DisableEnhancedMonitoring,
  EnableEnhancedMonitoring,
  IncreaseStreamRetentionPeriod,
  StartStreamEncryption,
  StopStreamEncryption,
  UpdateAccountSettings,
  UpdateMaxRecordSize,
  UpdateStreamMode,
  UpdateStreamWarmThroughput,
} from './operations/settings.ts';
import { ListShards, MergeShards, SplitShard, UpdateShardCount } from './operations/shards.ts';
import {
  CreateStream,
  DeleteStream,
  DescribeLimits,
  DescribeStream,
  DescribeStreamSummary,
  ListStreams,
} from './operations/streams.ts';
import {
  AddTagsToStream,
  ListTagsForResource,
  ListTagsForStream,
  RemoveTagsFromStream,
  TagResource,
  UntagResource,
} from './operations/tags.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { createState, type KinesisState } from './state.ts';

/** Amazon Kinesis Data Streams. */
export const plugin = definePlugin<KinesisOperations, KinesisState>({
  name: 'kinesis',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization,
  paging,
  resources,
  operations: {
    AddTagsToStream,
    CreateStream,
    DecreaseStreamRetentionPeriod,
    DeleteResourcePolicy,
    DeleteStream,
    DeregisterStreamConsumer,
    DescribeAccountSettings,
    DescribeLimits,
    DescribeStream,
    DescribeStreamConsumer,
    DescribeStreamSummary,
    DisableEnhancedMonitoring,
    EnableEnhancedMonitoring,
    GetRecords,
    GetResourcePolicy,
    GetShardIterator,
    IncreaseStreamRetentionPeriod,
    ListShards,
    ListStreamConsumers,
    ListStreams,
    ListTagsForResource,
    ListTagsForStream,
    MergeShards,
    PutRecord,
    PutRecords,
    PutResourcePolicy,
    RegisterStreamConsumer,
    RemoveTagsFromStream,
    SplitShard,
    StartStreamEncryption,
    StopStreamEncryption,
    SubscribeToShard,
    TagResource,
    UntagResource,
    UpdateAccountSettings,
    UpdateMaxRecordSize,
    UpdateShardCount,
    UpdateStreamMode,
    UpdateStreamWarmThroughput,
  },
});
