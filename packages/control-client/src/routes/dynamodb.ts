/** Control routes of DynamoDB. */
export interface DynamoDbRoutes {
  'POST /_emulator/dynamodb/ttl-processor/tick': { response: { expiredItems: number } };
  'POST /_emulator/dynamodb/snapshot/save': {
    /** Directory to save to; by default the configured data directory. */
    body?: { dataPath: string };
    response: { saved: true };
  };
}
