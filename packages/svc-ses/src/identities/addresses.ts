import { type Api, invalid } from '../errors.ts';
import { isAddress } from './names.ts';

const MAX_LENGTH = 320;

/** Returns the address in a text such as `Ann <ann@example.com>` or a bare address. */
export function bareAddress(text: string): string {
  const trimmed = text.trim();
  const open = trimmed.lastIndexOf('<');
  return open >= 0 && trimmed.endsWith('>') ? trimmed.slice(open + 1, -1).trim() : trimmed;
}

/** Matches a control or whitespace character, or one outside of ASCII. */
const UNPRINTABLE = /[^\x21-\x7e]/;
/** Matches a character that local parts must not have. */
const SPECIAL = /[()<>,;:\\[\]]/;

/**
 * Returns the problem of the part before the last `@`, in the order and words of JavaMail, which SES uses.
 * @see https://github.com/jakartaee/mail-api/blob/master/api/src/main/java/jakarta/mail/internet/InternetAddress.java
 */
function localProblem(local: string): string | undefined {
  if (local.startsWith('.')) return 'Local address starts with dot';
  if (local.endsWith('.')) return 'Local address ends with dot';
  if (local.includes('..')) return 'Local address contains dot-dot';
  return SPECIAL.test(local) ? 'Local address contains illegal character' : undefined;
}

/** Returns the problem of the part after the `@`. */
function domainProblem(domain: string): string | undefined {
  if (domain === '') return 'Missing domain';
  if (domain.startsWith('.')) return 'Domain starts with dot';
  if (UNPRINTABLE.test(domain)) return 'Domain contains control or whitespace';
  if (domain.includes('..')) return 'Domain contains dot-dot';
  if (/[^\w.-]/.test(domain)) return 'Domain contains illegal character';
  return domain.endsWith('.') ? 'Domain ends with dot' : undefined;
}

/**
 * Validates an address with or without display name.
 * @returns the bare address
 * @throws AwsError with AWS's message if it is invalid
 */
export function checkAddress(text: string, api: Api): string {
  if (/[\r\n]/.test(text)) throw invalid(api, 'Header name or value contains a line break.');
  const address = bareAddress(text);
  const at = address.indexOf('@');
  const local = at < 0 ? address : address.slice(0, at);
  const problem =
    (UNPRINTABLE.test(local) && 'Local address contains control or whitespace') ||
    (at < 0 && "Missing final '@domain'") ||
    (at === 0 && 'Missing local name') ||
    localProblem(local) ||
    domainProblem(address.slice(at + 1));
  if (problem) throw invalid(api, problem);
  if (!isAddress(address) || address.length > MAX_LENGTH) throw invalid(api, `Illegal address ${address}`);
  return address;
}
