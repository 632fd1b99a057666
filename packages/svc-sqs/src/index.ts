import { definePlugin } from '@emu/core/service';
import type { SqsOperations } from '@emu/service-types/sqs';
import type { ServiceModel } from '@emu/wire';
import model from '../model/sqs.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as batches from './operations/batches.ts';
import * as messages from './operations/messages.ts';
import * as moveTasks from './operations/move-tasks.ts';
import * as permissions from './operations/permissions.ts';
import * as queues from './operations/queues.ts';
import { tags } from './operations/tags.ts';
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
  ignoredIfEmpty,
  paging,
  resources: [queueType],
  operations: [batches, messages, moveTasks, permissions, queues, tags],
});
