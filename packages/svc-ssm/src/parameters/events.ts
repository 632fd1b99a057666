import { type CallOptions, type Outbox, type StateScope, servicePrincipal } from '@emu/core/service';

/** Operations in parameter events. */
export type ParameterChange = 'Create' | 'Update' | 'Delete' | 'LabelParameterVersion';

/** Returns call options with the service's own principal. */
export const asSsm = (accountId: string, region: string, cause: string | undefined): CallOptions => ({
  accountId,
  region,
  principal: servicePrincipal('ssm', accountId),
  cause,
});

/** A scope that delivers events and notifications at least once. */
export type OutboxScope = StateScope & { readonly outbox: Outbox };

/** Detail types of the service's events. */
export type EventType =
  | 'Parameter Store Change'
  | 'Parameter Store Policy Action'
  | 'EC2 Automation Execution Status-change Notification'
  | 'EC2 Automation Step Status-change Notification'
  | 'EC2 Command Status-change Notification'
  | 'EC2 Command Invocation Status-change Notification'
  | 'EC2 State Manager Association State Change'
  | 'EC2 State Manager Instance Association State Change'
  | 'Configuration Compliance State Change'
  | 'Approver Access Request Status Update'
  | 'Requester Access Request Status Update'
  | 'JITNA Access Request Failed'
  | 'OpsItem Create'
  | 'OpsItem Update'
  | 'Maintenance Window State-change Notification'
  | 'Maintenance Window Target Registration Notification'
  | 'Maintenance Window Execution State-change Notification'
  | 'Maintenance Window Task Execution State-change Notification'
  | 'Maintenance Window Task Target Invocation State-change Notification';

/**
 * Puts an event on the account's default event bus if EventBridge is available.
 * @param about ARNs of the event's resources
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/monitoring-systems-manager-event-examples.html
 */
export function emit(
  scope: Pick<OutboxScope, 'accountId' | 'region' | 'outbox' | 'clock'>,
  detailType: EventType,
  about: string | readonly string[],
  detail: object,
  cause: string | undefined,
): void {
  const { accountId, region, outbox, clock } = scope;
  const resources = typeof about === 'string' ? [about] : about;
  const entry = {
    Source: 'aws.ssm',
    DetailType: detailType,
    Resources: [...resources],
    Detail: JSON.stringify(detail),
    Time: new Date(clock.now()),
  };
  const options = asSsm(accountId, region, cause);
  outbox.send('events', 'PutEvents', { Entries: [entry] }, options, `an event about ${resources.join()}`);
}
