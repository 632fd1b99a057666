import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of DynamoDB. */
export const dynamodb = {
  /**
   * Deletes items whose time to live has expired. `POST /_emulator/dynamodb/ttl-processor/tick`
   * @returns the number of deleted items
   */
  ttlTick: json<{ expiredItems: number }>()('POST /_emulator/dynamodb/ttl-processor/tick'),

  /**
   * Saves the state as a snapshot. `POST /_emulator/dynamodb/snapshot/save`
   * @param dataPath directory on the emulator's machine, in which the snapshot is `dynamodb/snapshot.json`; by default
   * the emulator's data directory
   * @throws ApiError 400 without either directory, 500 for a failed write
   */
  saveSnapshot: json<{ saved: true }>()('POST /_emulator/dynamodb/snapshot/save', (dataPath?: string) => ({
    body: dataPath === undefined ? undefined : { dataPath },
  })),
};

/** Methods for the control routes of DynamoDB. */
export interface DynamoDbControl extends MethodsOf<typeof dynamodb> {}

/** Control routes of DynamoDB by name. */
export type DynamoDbRoutes = RoutesOf<typeof dynamodb>;
