import type { BehaviorOnMxFailure } from '@emu/service-types/sesv2';
import { type Api, invalid } from '../errors.ts';
import type { SesState } from '../state.ts';
import { verifiesAtOnce } from './identities.ts';
import { domainOf, isDomain } from './names.ts';

/**
 * Sets or removes the MAIL FROM domain of an identity, which must be a subdomain of its own.
 * @param domain undefined or empty for SES's own
 * @throws AwsError for an invalid domain
 * @see https://docs.aws.amazon.com/ses/latest/dg/mail-from.html
 */
export function setMailFrom(
  state: SesState,
  name: string,
  domain: string | undefined,
  behavior: BehaviorOnMxFailure,
  api: Api,
): void {
  if (domain) {
    if (!isDomain(domain)) throw invalid(api, `Invalid domain name ${domain}.`);
    const parent = domainOf(name);
    if (!domain.toLowerCase().endsWith(`.${parent}`))
      throw invalid(
        api,
        `Provided MAIL-FROM domain <${domain}> is not subdomain of the domain of the identity <${parent}>.`,
      );
  }
  state.identities.update(name, (draft) => {
    if (!domain) delete draft.mailFrom;
    else {
      const kept = draft.mailFrom?.domain === domain.toLowerCase() ? draft.mailFrom.status : undefined;
      draft.mailFrom = {
        domain: domain.toLowerCase(),
        status: kept ?? (verifiesAtOnce(state) ? 'SUCCESS' : 'PENDING'),
        behavior,
      };
    }
  });
}
