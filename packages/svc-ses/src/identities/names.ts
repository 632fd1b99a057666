import { type Api, invalid } from '../errors.ts';

const DOMAIN = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const LOCAL = /^[\x21-\x7e]+$/;
const LONGEST_LOCAL = 64;

/** Whether a text is a domain with at least two labels. */
export const isDomain = (text: string): boolean => DOMAIN.test(text);

/** Whether a text is an address without a name, in ASCII. */
export function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  return (
    at > 0 &&
    local.length <= LONGEST_LOCAL &&
    LOCAL.test(local) &&
    !/[<>(),;:\\[\]]/.test(local) &&
    isDomain(domainOf(text))
  );
}

/** The domain of an address. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** The name that an identity is kept by: domains do not tell cases apart, local parts do. */
export function identityNameOf(name: string): string {
  const at = name.lastIndexOf('@');
  return name.slice(0, at + 1) + name.slice(at + 1).toLowerCase();
}

/** Checks what is to be an identity. @throws AwsError for what is neither an address nor a domain */
export function checkIdentityName(name: string, api: Api): 'EMAIL_ADDRESS' | 'DOMAIN' {
  if (name.includes('@')) {
    if (!isAddress(name)) throw invalid(api, `Invalid email address<${name}>.`);
    return 'EMAIL_ADDRESS';
  }
  if (!isDomain(name)) throw invalid(api, `Invalid domain name ${name}.`);
  return 'DOMAIN';
}

/** Identities that may cover an address, the most specific first: itself, its domain, the domains above that. */
export function* coveringNames(address: string): Iterable<string> {
  const name = identityNameOf(address);
  if (name.includes('@')) {
    yield name;
    // What follows a plus sign is the mailbox's own business.
    const plain = name.replace(/\+[^@]*@/, '@');
    if (plain !== name) yield plain;
  }
  const labels = domainOf(name).split('.');
  for (let index = 0; index < labels.length - 1; index++) yield labels.slice(index).join('.');
}
