import type { MessageTag } from '@emu/service-types/sesv2';
import type { AwsError } from '@emu/wire';
import type { ConfigurationSet, Identity, SesContext } from '../context.ts';
import {
  type Api,
  accountPaused,
  configurationSetPaused,
  invalid,
  mailFromNotVerified,
  noConfigurationSet,
  notFound,
  rejected,
} from '../errors.ts';
import { bareAddress } from '../identities/addresses.ts';
import { verifiedIdentityFor } from '../identities/identities.ts';
import { domainOf } from '../identities/names.ts';
import { identityType } from '../resources.ts';
import type { SesState } from '../state.ts';
import { tenantStatus } from '../tenants/status.ts';
import { simulated } from './outcomes.ts';

/** Maximum number of recipients of a mail. */
const MAX_RECIPIENTS = 50;
const MAX_TAG = 255;
const MAX_TAGS = 50;
const MEGABYTE = 1024 * 1024;
/** Maximum bytes of a message by API. */
const MAX_BYTES: Readonly<Record<Api, number>> = { ses: 10 * MEGABYTE, sesv2: 40 * MEGABYTE };

/**
 * Validates the tags of a mail, in the recorded order with the recorded messages.
 * @throws AwsError
 */
export function checkTags(tags: readonly MessageTag[], api: Api): void {
  for (const { Name, Value } of tags) {
    if (!Name) throw invalid(api, 'The tag name must be specified.');
    if (!Value) throw invalid(api, 'The tag value must be specified.');
    if (Name.length > MAX_TAG) throw invalid(api, 'Tag name cannot exceed 255 characters.');
    if (!/^[\w-]+$/.test(Name) && !Name.startsWith('ses:'))
      throw invalid(api, `Invalid tag name <${Name}>: only alphanumeric ASCII characters, '_',  '-' are allowed.`);
    if (Value.length > MAX_TAG) throw invalid(api, 'Tag value cannot exceed 255 characters.');
    if (!/^[\w.@-]+$/.test(Value))
      throw invalid(
        api,
        `Invalid tag value <${Value}>: only alphanumeric ASCII characters, '_',  '-' , '.', '@' are allowed.`,
      );
  }
  if (tags.length > MAX_TAGS) throw invalid(api, 'A message cannot have more than 50 tags.');
  const names = new Set(tags.map(({ Name }) => Name));
  if (names.size < tags.length) throw invalid(api, 'Duplicate tag names are not allowed.');
}

/**
 * Checks the number of recipients.
 * @throws AwsError
 */
export function checkRecipientCount(count: number, api: Api): void {
  if (count === 0) throw invalid(api, 'The message has no recipients.');
  if (count > MAX_RECIPIENTS) throw invalid(api, `Recipient count exceeds ${MAX_RECIPIENTS}.`);
}

/**
 * Checks the size of a message.
 * @throws AwsError
 */
export function checkSize(bytes: number, api: Api): void {
  const most = MAX_BYTES[api];
  if (bytes > most) throw invalid(api, `Message length is more than ${most} bytes long: '${bytes}'.`);
}

/**
 * Returns the configuration set of a mail.
 * @throws AwsError if it is unknown, or its sending is disabled
 */
export function sendingSet(name: string | undefined, state: SesState, api: Api): ConfigurationSet | undefined {
  if (!state.account.sending) throw accountPaused(api);
  if (name === undefined) return undefined;
  const set = state.sets.get(name);
  if (!set) throw noConfigurationSet(api, name);
  if (!set.sending) throw configurationSetPaused(api, name);
  return set;
}

/** Returns the error for unverified addresses. */
const notVerified = (addresses: readonly string[], region: string): AwsError =>
  rejected(
    `Email address is not verified. The following identities failed the check in region ${region.toUpperCase()}: ${addresses.join(', ')}`,
  );

/** Returns the state of an identity ARN, possibly of another account. */
function stateOfArn(arn: string, state: SesState, api: Api): SesState | undefined {
  const address = identityType.parse(arn);
  if (!address) throw invalid(api, `Invalid ARN <${arn}>.`);
  const { accountId, region } = address.place;
  if (accountId === state.accountId && region === state.region) return state;
  return state.scope.service.existingState(accountId, region) as SesState | undefined;
}

/** An identity with its state. */
export interface SenderIdentity {
  identity: Identity;
  owner: SesState;
}

/** A sender address, with the ARN of its identity if the request contains it. */
export interface NamedSender {
  address: string;
  arn: string | undefined;
}

/** Returns the verified identity of a sender; undefined if there is none. */
function senderIdentity({ address, arn }: NamedSender, state: SesState, api: Api): SenderIdentity | undefined {
  const owner = arn === undefined ? state : stateOfArn(arn, state, api);
  const identity = owner && verifiedIdentityFor(owner, bareAddress(address));
  if (!identity || !owner) return undefined;
  // The ARN may be that of the domain although the address is an identity, too.
  if (arn !== undefined && !owner.identity(identityType.parse(arn)!.key.name)) return undefined;
  return { identity, owner };
}

/**
 * Returns the sender identity; in the sandbox also checks that recipients are verified.
 * @param returnPath bounce address in the request, if any
 * @throws AwsError `MessageRejected` with all unverified addresses
 * @see https://docs.aws.amazon.com/ses/latest/dg/request-production-access.html
 */
export function checkVerified(
  source: NamedSender,
  returnPath: NamedSender | undefined,
  recipients: readonly string[],
  state: SesState,
  api: Api,
): SenderIdentity {
  const sender = senderIdentity(source, state, api);
  const failed = sender ? [] : [source.address];
  if (returnPath && !senderIdentity(returnPath, state, api)) failed.push(returnPath.address);
  if (!state.account.production)
    for (const recipient of recipients) {
      const address = bareAddress(recipient);
      if (simulated(address) === undefined && !verifiedIdentityFor(state, address)) failed.push(recipient);
    }
  if (!sender || failed.length) throw notVerified([...new Set(failed)], state.region);
  return sender;
}

/**
 * Returns the domain of the envelope sender.
 * @param fallback SES's own
 * @throws AwsError if the identity rejects mail without a verified MAIL FROM domain
 */
export function envelopeDomain({ mailFrom }: Identity, fallback: string): string {
  if (!mailFrom) return fallback;
  if (mailFrom.status === 'SUCCESS') return mailFrom.domain;
  if (mailFrom.behavior === 'REJECT_MESSAGE') throw mailFromNotVerified(mailFrom.domain);
  return fallback;
}

/**
 * Checks that a tenant may send with the given resources.
 * @throws AwsError `NotFoundException`, `MessageRejected`
 */
export function checkTenant(
  name: string,
  identity: Identity,
  set: ConfigurationSet | undefined,
  state: SesState,
): void {
  const tenant = state.tenants.get(name);
  if (!tenant) throw notFound(`Tenant <${name}> does not exist.`);
  if (tenantStatus(state, tenant) === 'DISABLED') throw rejected(`Sending is disabled for tenant <${name}>.`);
  const kinds = [`identity/${identity.name}`, ...(set ? [`configuration-set/${set.name}`] : [])];
  for (const kind of kinds)
    if (!Object.keys(tenant.resources).some((arn) => arn.endsWith(`:${kind}`)))
      throw rejected(`Resource ${kind} is not associated with tenant <${name}>.`);
}

/** Returns the caller's name for `ses:caller-identity`. */
export const callerName = ({ principal }: Pick<SesContext, 'principal'>): string => {
  const { arn } = principal;
  return principal.type === 'root' ? 'root' : arn.slice(Math.max(arn.lastIndexOf('/'), arn.lastIndexOf(':')) + 1);
};

/** Returns the sender's domain for `ses:from-domain`. */
export const fromDomain = (source: string): string => domainOf(bareAddress(source));
