import type { CallOptions, StateScope } from '@emu/core';

/** What became of a parameter, as events tell. */
export type ParameterChange = 'Create' | 'Update' | 'Delete' | 'LabelParameterVersion';

/** A principal of the service itself. */
export const asSsm = (accountId: string, region: string, cause: string | undefined): CallOptions => ({
  accountId,
  region,
  principal: { type: 'service', accountId, arn: 'ssm.amazonaws.com', userId: 'ssm.amazonaws.com' },
  cause,
});

/**
 * Puts an event on the account's default event bus, where EventBridge is there.
 * @param arn of what it is about, or several
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-cwe.html
 */
export function emit(
  scope: Pick<StateScope, 'accountId' | 'region' | 'call' | 'clock' | 'log'>,
  detailType: string,
  arn: string | readonly string[],
  detail: object,
  cause: string | undefined,
): void {
  const { accountId, region, call, clock, log } = scope;
  const entry = {
    Source: 'aws.ssm',
    DetailType: detailType,
    Resources: [arn].flat(),
    Detail: JSON.stringify(detail),
    Time: new Date(clock.now()),
  };
  void call('events', 'PutEvents', { Entries: [entry] }, asSsm(accountId, region, cause)).catch((error: unknown) => {
    if ((error as { status?: number }).status !== 501)
      log.warn(`an event about ${String(arn)} could not be put`, { error });
  });
}
