import type { Collection, DeepReadonly, StateScope } from '@emu/core';
import {
  type AccessPointRecord,
  accessPointCollection,
  type PublicAccessBlock,
  publicAccessBlockCollection,
} from './records.ts';

/** What S3 Control keeps of an account in a region; what AWS keeps globally is in the partition's global region. */
export class S3ControlState {
  readonly accessPoints: Collection<AccessPointRecord>;
  private readonly publicAccessBlocks: Collection<PublicAccessBlock>;

  constructor(readonly scope: StateScope) {
    this.accessPoints = scope.collection(accessPointCollection);
    this.publicAccessBlocks = scope.collection(publicAccessBlockCollection);
  }

  /** The account's public access block; meaningful in the global region's state only. */
  get publicAccessBlock(): DeepReadonly<PublicAccessBlock> | undefined {
    return this.publicAccessBlocks.get('account');
  }
  set publicAccessBlock(settings: PublicAccessBlock | undefined) {
    if (settings) this.publicAccessBlocks.put('account', settings);
    else this.publicAccessBlocks.delete('account');
  }
}

/** Makes the state of an account in a region. */
export function createState(scope: StateScope): S3ControlState {
  return new S3ControlState(scope);
}
