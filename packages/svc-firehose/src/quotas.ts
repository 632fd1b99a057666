import { type AnyQuota, defineQuotas, type QuotaFacts, requestRate } from '@emu/core/service';
import type { FirehoseOperations } from '@emu/service-types/firehose';
import { firehoseError, limitExceeded } from './errors.ts';
import type { FirehoseState } from './state.ts';

const firehose = (code: string, name: string, defaultValue: number, adjustable: boolean): QuotaFacts => ({
  serviceCode: 'firehose',
  code,
  name,
  defaultValue,
  adjustable,
  page: 'https://docs.aws.amazon.com/firehose/latest/dev/limits.html',
});

/** Requests per second for each operation that manages delivery streams. */
const PER_SECOND = 5;
const RATES: readonly [operation: keyof FirehoseOperations, code: string, name?: string][] = [
  ['CreateDeliveryStream', 'L-040D05FF'],
  ['DeleteDeliveryStream', 'L-3A800C3A'],
  ['DescribeDeliveryStream', 'L-61E2CA1D'],
  ['ListDeliveryStreams', 'L-FDED3C5B', 'ListDeliveryStream'],
  ['ListTagsForDeliveryStream', 'L-36A7E04C'],
  ['StartDeliveryStreamEncryption', 'L-0D32C2BC'],
  ['StopDeliveryStreamEncryption', 'L-09E8B729'],
  ['TagDeliveryStream', 'L-ED7DA7FC'],
  ['UntagDeliveryStream', 'L-47C73A38'],
  ['UpdateDestination', 'L-CC1FDDAA'],
];

/** Quotas of Data Firehose, except throughput per stream, which differs by region. */
export const quotas: readonly AnyQuota[] = defineQuotas<FirehoseOperations, FirehoseState>([
  {
    ...firehose('L-14BB0BE7', 'Delivery streams', 5000, true),
    usage: ({ streamNumber }) => streamNumber,
    grows: {
      CreateDeliveryStream: ({ DeliveryStreamName }, state) =>
        state.stream(DeliveryStreamName) ? undefined : state.streamNumber + 1,
    },
    error: (limit) => limitExceeded(`The account has reached its limit of ${limit} delivery streams.`),
  },
  ...RATES.map(([operation, code, name = operation]) =>
    requestRate<FirehoseOperations, FirehoseState>(
      firehose(code, `Rate of ${name} requests`, PER_SECOND, false),
      [operation],
      () => firehoseError('ThrottlingException', 'Rate exceeded', { status: 400 }),
    ),
  ),
]);
