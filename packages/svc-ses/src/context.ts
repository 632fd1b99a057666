import type { DeepReadonly, OperationContext } from '@emu/core/service';
import { apiOf, invalid, noConfigurationSet, notFound } from './errors.ts';
import type { ConfigurationSetRecord, IdentityRecord } from './records.ts';
import { identityType } from './resources.ts';
import type { SesState } from './state.ts';

/** Context of SES's handlers. */
export type SesContext = OperationContext<SesState>;

export type Identity = DeepReadonly<IdentityRecord>;
export type ConfigurationSet = DeepReadonly<ConfigurationSetRecord>;

/**
 * Returns a configuration set by name.
 * @throws AwsError of the API if it does not exist
 */
export function configurationSetOf(name: string, ctx: SesContext): ConfigurationSet {
  const set = ctx.state.sets.get(name);
  if (!set) throw noConfigurationSet(apiOf(ctx), name);
  return set;
}

/** Returns the name in an identity's ARN of this account and region; any other text unchanged. */
export function identityNameIn(nameOrArn: string, { accountId, region }: SesContext): string {
  const address = identityType.parse(nameOrArn);
  const isHere = address?.place.accountId === accountId && address.place.region === region;
  return isHere ? address.key.name : nameOrArn;
}

/**
 * Returns an identity by name.
 * @throws AwsError of the API if it does not exist
 */
export function identityOf(name: string, ctx: SesContext): Identity {
  const identity = ctx.state.identity(name);
  if (identity) return identity;
  if (apiOf(ctx) === 'ses') throw invalid('ses', `Identity <${name}> does not exist.`);
  throw notFound(`Email identity ${name} does not exist.`);
}
