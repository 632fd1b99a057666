import { defineCollection } from '@emu/core/service';
import type { ObjectLambdaConfiguration } from '@emu/service-types/s3control';

/** An access point with a function that transforms its responses. */
export interface ObjectLambdaRecord {
  name: string;
  alias: string;
  configuration: ObjectLambdaConfiguration;
  /** JSON text as given. */
  policy?: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** Object Lambda access points by name. */
export const objectLambdaCollection = defineCollection<ObjectLambdaRecord>('object-lambda-access-points', 'region');
