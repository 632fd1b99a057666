import type { DeclareRoute } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import type { DynamoState } from './state.ts';

const route: DeclareRoute<ServiceHandle<DynamoState>, ControlRoute<DynamoState>> = controlRoute;

/** DynamoDB's control routes. */
export const control: readonly ControlRoute<DynamoState>[] = [
  route('POST /_emulator/dynamodb/ttl-processor/tick', async (_request, service) => {
    let removed = 0;
    for (const { state } of [...service.states()]) removed += await state.removeExpired();
    return { json: { expiredItems: removed } };
  }),
  route('POST /_emulator/dynamodb/snapshot/save', async ({ body }, service) => {
    const { dataPath } = (body ?? {}) as { dataPath?: unknown };
    if (dataPath !== undefined && (typeof dataPath !== 'string' || dataPath === ''))
      throw new ControlError(400, 'InvalidDataPath', 'dataPath must be the path of a directory');
    let saved: boolean;
    try {
      saved = await service.saveSnapshot(dataPath);
    } catch (error) {
      if (error instanceof ControlError) throw error;
      throw new ControlError(500, 'SnapshotFailed', `the snapshot could not be written: ${(error as Error).message}`);
    }
    if (!saved) throw new ControlError(400, 'NoStore', 'the emulator has no data directory; name one as dataPath');
    return { json: { saved: true } };
  }),
];
