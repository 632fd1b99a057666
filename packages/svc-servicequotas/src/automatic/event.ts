import { type CallOptions, formatArn, type Ids, type Place, servicePrincipal } from '@emu/core/service';
import type { PutEventsRequestEntry } from '@emu/service-types/events';
import type { Utilization } from './utilization.ts';

const CODE = 'AWS_SERVICEQUOTAS_THRESHOLD_BREACH';

/** Principal with which AWS Health puts its events. */
export const asHealth = ({ accountId, region }: Place, cause: string): CallOptions => ({
  accountId,
  region,
  principal: servicePrincipal('health', accountId),
  cause,
});

/** Name in AWS Health of a quota near its limit. */
const affected = ({ quota: { serviceCode, name }, percent }: Utilization): string =>
  `Service: ${serviceCode} | Quota Name: ${name} | Utilization: ${percent.toFixed(1)}%`;

/**
 * Creates AWS Health's event for quotas that have reached a threshold.
 * @param now epoch milliseconds
 * @see https://docs.aws.amazon.com/servicequotas/latest/userguide/auto-mgmt-ct-logs.html
 */
export function breachEvent(
  breaches: readonly Utilization[],
  { accountId, region }: Place,
  now: number,
  ids: Ids,
): PutEventsRequestEntry {
  const time = new Date(now).toUTCString();
  return {
    Time: new Date(now),
    Source: 'aws.health',
    DetailType: 'AWS Health Event',
    Resources: breaches.map(affected),
    Detail: JSON.stringify({
      eventArn: formatArn({
        service: 'health',
        region,
        accountId: '',
        resource: `event/SERVICEQUOTAS/${CODE}/${CODE}-${now}`,
      }),
      service: 'SERVICEQUOTAS',
      eventTypeCode: CODE,
      eventTypeCategory: 'accountNotification',
      eventScopeCode: 'ACCOUNT_SPECIFIC',
      communicationId: `${ids.hex(64)}-1`,
      startTime: time,
      lastUpdatedTime: time,
      statusCode: 'open',
      eventRegion: region,
      eventDescription: [
        { language: 'en_US', latestDescription: 'This account has reached a utilization threshold of service quotas.' },
      ],
      affectedEntities: breaches.map((breach) => ({ entityValue: affected(breach) })),
      affectedAccount: accountId,
    }),
  };
}
