import type { CallOptions, DeepReadonly, OperationContext } from '@emu/core';
import { apiOf, invalid, noConfigurationSet, notFound } from './errors.ts';
import type { ConfigurationSetRecord, IdentityRecord } from './records.ts';
import type { SesState } from './state.ts';

/** The context of SES's handlers. */
export type SesContext = OperationContext<SesState>;

export type Identity = DeepReadonly<IdentityRecord>;
export type ConfigurationSet = DeepReadonly<ConfigurationSetRecord>;

/** SES's principal. */
export const SERVICE = 'ses.amazonaws.com';

/**
 * As whom SES calls other services of its own accord.
 * @param sourceArn what it calls them for
 */
export const asService = ({ accountId }: SesState, sourceArn: string): CallOptions => ({
  principal: { type: 'service', accountId, arn: SERVICE, userId: SERVICE },
  authorize: { sourceArn, sourceAccount: accountId },
});

/** The configuration set of a name. @throws AwsError of the API where there is none */
export function configurationSetOf(name: string, ctx: SesContext): ConfigurationSet {
  const set = ctx.state.sets.get(name);
  if (!set) throw noConfigurationSet(apiOf(ctx), name);
  return set;
}

/** The identity of a name. @throws AwsError of the API where there is none */
export function identityOf(name: string, ctx: SesContext): Identity {
  const identity = ctx.state.identity(name);
  if (identity) return identity;
  if (apiOf(ctx) === 'ses') throw invalid('ses', `Identity <${name}> does not exist.`);
  throw notFound(`Email identity ${name} does not exist.`);
}
