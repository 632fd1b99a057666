import { type Api, invalid } from '../errors.ts';

const DOMAIN = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const LOCAL = /^[\x21-\x7e]+$/;
const MAX_LOCAL_PART = 64;

/** Whether a text is a domain with at least two labels. */
export const isDomain = (text: string): boolean => DOMAIN.test(text);

/** Whether a text is an ASCII address without display name. */
export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  return (
    at > 0 &&
    local.length <= MAX_LOCAL_PART &&
    LOCAL.test(local) &&
    !/[<>(),;:\\[\]]/.test(local) &&
    isDomain(domainOf(text))
  );
}

/** Returns the domain of an address. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Returns the storage key of an identity name: domains are case-insensitive, local parts are not. */
export function identityNameOf(name: string): string {
  const at = name.lastIndexOf('@');
  return name.slice(0, at + 1) + name.slice(at + 1).toLowerCase();
}

/**
 * Validates an identity name.
 * @throws AwsError unless it is an address or a domain
 */
export function checkIdentityName(name: string, api: Api): 'EMAIL_ADDRESS' | 'DOMAIN' {
  if (name.includes('@')) {
    if (!isAddress(name)) throw invalid(api, `Invalid email address<${name}>.`);
    return 'EMAIL_ADDRESS';
  }
  if (!isDomain(name)) throw invalid(api, `Invalid domain name ${name}.`);
  return 'DOMAIN';
}

/** Yields the identities that may cover an address, most specific first: itself, its domain, parent domains. */
export function* coveringNames(address: string): Iterable<string> {
  const name = identityNameOf(address);
  if (name.includes('@')) {
    yield name;
    // A suffix after a plus sign belongs to the same mailbox.
    const plain = name.replace(/\+[^@]*@/, '@');
    if (plain !== name) yield plain;
  }
  const labels = domainOf(name).split('.');
  for (let index = 0; index < labels.length - 1; index++) yield labels.slice(index).join('.');
}
