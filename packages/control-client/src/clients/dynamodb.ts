import { AreaControl } from './area.ts';

/** Control routes of DynamoDB. */
export class DynamoDbControl extends AreaControl {
  /**
   * Removes items whose time to live is over. `POST /_emulator/dynamodb/ttl-processor/tick`
   * @returns how many items went
   */
  ttlTick(): Promise<{ expiredItems: number }> {
    return this.transport.json('POST /_emulator/dynamodb/ttl-processor/tick');
  }

  /**
   * Saves the state as a snapshot. `POST /_emulator/dynamodb/snapshot/save`
   * @param dataPath directory on the emulator's machine; the snapshot is `dynamodb/snapshot.json` in it. Without it,
   *   the emulator's data directory is meant
   * @throws ApiError 400 where there is neither, 500 where writing failed
   */
  saveSnapshot(dataPath?: string): Promise<{ saved: true }> {
    return this.transport.json('POST /_emulator/dynamodb/snapshot/save', {
      body: dataPath === undefined ? undefined : { dataPath },
    });
  }
}
