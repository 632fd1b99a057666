import { type AnyQuota, defineQuotas } from '@emu/core/service';
import type { S3controlOperations } from '@emu/service-types/s3control';
import { s3controlError } from './errors.ts';
import type { S3ControlState } from './state.ts';

/** Enforceable quotas of S3 Control; Service Quotas lists them under S3. */
export const quotas: readonly AnyQuota[] = defineQuotas<S3controlOperations, S3ControlState>([
  {
    serviceCode: 's3',
    code: 'L-FAABEEBA',
    name: 'Access Points',
    defaultValue: 10_000,
    adjustable: true,
    page: 'https://docs.aws.amazon.com/general/latest/gr/s3.html',
    usage: ({ accessPoints }) => accessPoints.size,
    grows: {
      CreateAccessPoint: ({ Name }, { accessPoints }) => (accessPoints.has(Name) ? undefined : accessPoints.size + 1),
    },
    error: () =>
      s3controlError('TooManyAccessPoints', 'You have attempted to create more access points than allowed', {
        status: 400,
      }),
  },
]);
