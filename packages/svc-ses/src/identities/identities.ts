import type { Tag } from '@emu/service-types/sesv2';
import type { Identity } from '../context.ts';
import type { Api } from '../errors.ts';
import { SES_OPTIONS } from '../options.ts';
import type { DkimRecord, IdentityRecord } from '../records.ts';
import type { SesState } from '../state.ts';
import { checkIdentityName, coveringNames, identityNameOf } from './names.ts';

const TOKEN_BYTES = 33;

/** Whether new identities are verified immediately. */
export const verifiesAtOnce = ({ scope }: SesState): boolean =>
  scope.settings.of(SES_OPTIONS).EMULATOR_SES_VERIFICATION === 'auto';

/** DKIM settings of a new address, or of a domain before a DKIM request. */
const NO_DKIM: DkimRecord = { enabled: false, status: 'NOT_STARTED', origin: 'AWS_SES', tokens: [] };

/**
 * Returns a new identity.
 * @throws AwsError for an invalid name
 */
export function newIdentity(
  state: SesState,
  given: string,
  api: Api,
  more: { tags?: Tag[]; dkim?: DkimRecord; configurationSet?: string } = {},
): IdentityRecord {
  const type = checkIdentityName(given, api);
  const now = state.clock.now();
  const verified = verifiesAtOnce(state);
  return {
    name: identityNameOf(given),
    type,
    verification: verified ? 'SUCCESS' : 'PENDING',
    token: state.ids.bytes(TOKEN_BYTES).toString('base64'),
    dkim: more.dkim ?? structuredClone(NO_DKIM),
    forwarding: true,
    topics: {},
    headersIn: {},
    ...(more.configurationSet !== undefined && { configurationSet: more.configurationSet }),
    policies: {},
    tags: more.tags ?? [],
    createdAt: now,
    ...(verified && { verifiedAt: now }),
    ...(!verified && { secret: state.ids.hex(40) }),
  };
}

/** Marks an identity as verified, including everything that waits for DNS records. */
export function markVerified(state: SesState, name: string): Identity {
  return state.identities.update(name, (draft) => {
    draft.verification = 'SUCCESS';
    draft.verifiedAt = state.clock.now();
    delete draft.secret;
    if (draft.dkim.status === 'PENDING') draft.dkim.status = 'SUCCESS';
    if (draft.mailFrom?.status === 'PENDING') draft.mailFrom.status = 'SUCCESS';
  });
}

/** Returns the verified identity of an address; undefined if there is none. */
export function verifiedIdentityFor(state: SesState, address: string): Identity | undefined {
  for (const name of coveringNames(address)) {
    const identity = state.identity(name);
    if (identity?.verification === 'SUCCESS') return identity;
  }
  return undefined;
}
