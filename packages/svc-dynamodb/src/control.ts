import type { ControlRoute } from '@emu/core';
import type { DynamoState } from './state.ts';

/** DynamoDB's control routes. */
export const control: readonly ControlRoute<DynamoState>[] = [
  {
    method: 'POST',
    path: '/_emulator/dynamodb/ttl-processor/tick',
    handle: (_request, service) => {
      let removed = 0;
      for (const { state } of service.states()) removed += state.removeExpired();
      return { json: { expiredItems: removed } };
    },
  },
];
