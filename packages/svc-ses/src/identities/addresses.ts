import { type Api, invalid } from '../errors.ts';
import { isAddress } from './names.ts';

const MAX_LENGTH = 320;

/** Returns the address in a text such as `Ann <ann@example.com>` or a bare address. */
export function bareAddress(text: string): string {
  const trimmed = text.trim();
  const open = trimmed.lastIndexOf('<');
  return open >= 0 && trimmed.endsWith('>') ? trimmed.slice(open + 1, -1).trim() : trimmed;
}

/**
 * Validates an address with or without display name.
 * @returns the bare address
 * @throws AwsError with AWS's message if it is invalid
 */
export function checkAddress(text: string, api: Api): string {
  if (/[\r\n]/.test(text)) throw invalid(api, 'Header name or value contains a line break.');
  const address = bareAddress(text);
  if (address === '') throw invalid(api, "Missing final '@domain'");
  if (!address.includes('@')) throw invalid(api, "Missing final '@domain'");
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (/[^\x20-\x7e]/.test(address.slice(0, address.lastIndexOf('@'))))
    throw invalid(api, 'Local address contains non-ASCII characters.');
  if (/\s/.test(domain)) throw invalid(api, 'Domain contains control or whitespace');
  if (/[^\x21-\x7e]/.test(domain)) throw invalid(api, 'Domain contains illegal character');
  if (/\s/.test(address)) throw invalid(api, 'Local address contains control or whitespace');
  if (domain.includes('..') || domain.startsWith('.')) throw invalid(api, 'Domain contains dot-dot');
  if (!isAddress(address) || address.length > MAX_LENGTH) throw invalid(api, `Illegal address ${address}`);
  return address;
}
