import { type DeepReadonly, defineCollection, type PublicAccessSettings } from '@emu/core/service';
import type {
  AsyncOperationName,
  AsyncRequestParameters,
  MultiRegionAccessPointStatus,
} from '@emu/service-types/s3control';

/** A bucket of a Multi-Region Access Point. */
export interface RouteRecord {
  bucket: string;
  bucketAccountId: string;
  region: string;
  /** Percent: 100 active, 0 passive. */
  dial: number;
}

/** A Multi-Region Access Point. Points in time are epoch milliseconds. */
export interface MultiRegionRecord {
  name: string;
  /** `m….mrap`. */
  alias: string;
  status: MultiRegionAccessPointStatus;
  publicAccessBlock: PublicAccessSettings;
  routes: RouteRecord[];
  /** The policy in force, and one that takes force soon; JSON texts. */
  established?: string;
  proposed?: string;
  createdAt: number;
}

/** A Multi-Region Access Point as it is kept. */
export type MultiRegionView = DeepReadonly<MultiRegionRecord>;

/** A request for a change that takes a while. */
export interface AsyncRequestRecord {
  arn: string;
  operation: AsyncOperationName;
  clientToken: string;
  parameters: AsyncRequestParameters;
  name: string;
  /** `NEW`, `SUCCEEDED` or `FAILED`. */
  status: string;
  error?: { code: string; message: string };
  createdAt: number;
  /** When it is done. */
  dueAt: number;
}

/** Multi-Region Access Points by name, in the partition's global region. */
export const multiRegionCollection = defineCollection<MultiRegionRecord>('multi-region-access-points', 'region');
/** Their requests by ARN. */
export const asyncRequestCollection = defineCollection<AsyncRequestRecord>('multi-region-requests', 'region');

export const multiRegionCollections = [multiRegionCollection, asyncRequestCollection] as const;
