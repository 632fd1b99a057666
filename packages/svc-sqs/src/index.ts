import { definePlugin } from '@emu/core';
import type { SqsOperations } from '@emu/service-types/sqs';
import type { ServiceModel } from '@emu/wire';
import model from '../model/sqs.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ChangeMessageVisibilityBatch, DeleteMessageBatch, SendMessageBatch } from './operations/batches.ts';
import { ChangeMessageVisibility, DeleteMessage, ReceiveMessage, SendMessage } from './operations/messages.ts';
import { CancelMessageMoveTask, ListMessageMoveTasks, StartMessageMoveTask } from './operations/move-tasks.ts';
import { AddPermission, RemovePermission } from './operations/permissions.ts';
import {
  CreateQueue,
  DeleteQueue,
  GetQueueAttributes,
  GetQueueUrl,
  ListDeadLetterSourceQueues,
  ListQueues,
  PurgeQueue,
  SetQueueAttributes,
} from './operations/queues.ts';
import { ListQueueTags, TagQueue, UntagQueue } from './operations/tags.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { queueType } from './resources.ts';
import { createState, type SqsState } from './state.ts';
import { validationError } from './validation.ts';

/** Amazon Simple Queue Service. */
export const plugin = definePlugin<SqsOperations, SqsState>({
  name: 'sqs',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  validationError,
  control,
  authorization,
  paging,
  resources: [queueType],
  operations: {
    AddPermission,
    CancelMessageMoveTask,
    ChangeMessageVisibility,
    ChangeMessageVisibilityBatch,
    CreateQueue,
    DeleteMessage,
    DeleteMessageBatch,
    DeleteQueue,
    GetQueueAttributes,
    GetQueueUrl,
    ListDeadLetterSourceQueues,
    ListMessageMoveTasks,
    ListQueueTags,
    ListQueues,
    PurgeQueue,
    ReceiveMessage,
    RemovePermission,
    SendMessage,
    SendMessageBatch,
    SetQueueAttributes,
    StartMessageMoveTask,
    TagQueue,
    UntagQueue,
  },
});
