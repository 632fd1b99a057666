import { AreaControl } from './area.ts';

/** Control routes of DynamoDB. */
export class DynamoDbControl extends AreaControl {
  /**
   * Deletes items whose time to live has expired. `POST /_emulator/dynamodb/ttl-processor/tick`
   * @returns the number of deleted items
   */
  ttlTick(): Promise<{ expiredItems: number }> {
    return this.transport.json('POST /_emulator/dynamodb/ttl-processor/tick');
  }

  /**
   * Saves the state as a snapshot. `POST /_emulator/dynamodb/snapshot/save`
   * @param dataPath directory on the emulator's machine, in which the snapshot is `dynamodb/snapshot.json`; by default
   * the emulator's data directory
   * @throws ApiError 400 without either directory, 500 for a failed write
   */
  saveSnapshot(dataPath?: string): Promise<{ saved: true }> {
    return this.transport.json('POST /_emulator/dynamodb/snapshot/save', {
      body: dataPath === undefined ? undefined : { dataPath },
    });
  }
}
