import type { KeyRecord } from '../records.ts';
import type { KmsState } from '../state.ts';
import { generateMaterial } from './material.ts';
import { shapeOf } from './specs.ts';

type Given = Pick<KeyRecord, 'spec' | 'usage' | 'policy'> &
  Partial<Pick<KeyRecord, 'origin' | 'manager' | 'description' | 'tags' | 'customKeyStoreId' | 'xksKeyId'>> & {
    multiRegion?: boolean | undefined;
  };

/** Creates a key, with its material unless that is imported. Does not store it. */
export async function newKeyRecord(state: KmsState, given: Given): Promise<KeyRecord> {
  const { multiRegion, ...facts } = given;
  const origin = given.origin ?? 'AWS_KMS';
  const materials = origin === 'EXTERNAL' ? [] : [await generateMaterial(shapeOf(given.spec), state.ids)];
  return {
    description: '',
    manager: 'CUSTOMER',
    tags: [],
    ...facts,
    origin,
    id: multiRegion ? `mrk-${state.ids.hex(32)}` : state.ids.uuid(),
    createdAt: state.clock.now(),
    enabled: true,
    materials,
    onDemandRotations: 0,
    ...(multiRegion && { multiRegion: { primary: state.region, replicas: [] } }),
  };
}
