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

/** A Multi-Region Access Point. Times are epoch milliseconds. */
export interface MultiRegionRecord {
  name: string;
  /** `m….mrap`. */
  alias: string;
  status: MultiRegionAccessPointStatus;
  publicAccessBlock: PublicAccessSettings;
  routes: RouteRecord[];
  /** Established and proposed policies; JSON texts. */
  established?: string;
  proposed?: string;
  createdAt: number;
}

/** A stored Multi-Region Access Point. */
export type MultiRegionView = DeepReadonly<MultiRegionRecord>;

/** An asynchronous request. */
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
  /** Completion time. */
  dueAt: number;
}

/** Multi-Region Access Points by name, in the partition's global region. */
export const multiRegionCollection = defineCollection<MultiRegionRecord>('multi-region-access-points', 'region');
/** Their requests by ARN. */
export const asyncRequestCollection = defineCollection<AsyncRequestRecord>('multi-region-requests', 'region');

export const multiRegionCollections = [multiRegionCollection, asyncRequestCollection] as const;
