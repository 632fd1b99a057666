import { boolean, integer, withDefault } from '@emu/core/options';

/** Settings of S3. */
export const S3_OPTIONS = {
  EMULATOR_S3_CACHE_SIZE: withDefault('268435456', {
    flag: 's3-cache-size',
    schema: integer(0, ' of bytes'),
    description: 'Memory for recently read object bodies in persistent mode.',
    placeholder: 'BYTES',
    services: ['s3'],
  }),
  EMULATOR_S3_EAGER_DELIVERY: withDefault('false', {
    schema: boolean,
    description:
      'Deliver server access logs, inventory reports (CSV, Parquet), storage class analyses and S3 Storage Lens exports to their buckets.',
    services: ['s3'],
  }),
};
