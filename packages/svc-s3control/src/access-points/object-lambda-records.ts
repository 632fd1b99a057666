import { defineCollection } from '@emu/core/service';
import type { ObjectLambdaConfiguration } from '@emu/service-types/s3control';

/** An access point whose answers a function transforms. */
export interface ObjectLambdaRecord {
  name: string;
  alias: string;
  configuration: ObjectLambdaConfiguration;
  /** JSON text as put. */
  policy?: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** Object Lambda access points by name. */
export const objectLambdaCollection = defineCollection<ObjectLambdaRecord>('object-lambda-access-points', 'region');
