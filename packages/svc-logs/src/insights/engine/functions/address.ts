import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { scalarText } from '../values.ts';
import { type LanguageFunction, ofTexts, ofValues } from './function.ts';

type Family = 'ipv4' | 'ipv6';
const familyOf = (address: string): Family => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** Runs a test on an address; false if it is invalid. */
const test = (holds: (address: string) => boolean): LanguageFunction =>
  ofValues(1, 1, (value) => {
    const text = scalarText(value);
    return text !== undefined && holds(text);
  });

function blocks(...subnets: string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [base, prefix] = subnet.split('/') as [string, string];
    list.addSubnet(base, Number(prefix), familyOf(base));
  }
  return (address) => isIP(address) > 0 && list.check(address, familyOf(address));
}

const isPrivate = blocks('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7');
const isReserved = blocks(
  '0.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  '2001:db8::/32',
  'fe80::/10',
  'ff00::/8',
);

/** Whether an address is in a CIDR subnet. */
const inSubnet = (isValid: (address: string) => boolean): LanguageFunction => {
  // The subnet is usually the same for all events.
  let known: { subnet: string; has: (address: string) => boolean } | undefined;
  return ofTexts(2, 2, (address, subnet) => {
    if (known?.subnet !== subnet) known = { subnet, has: isSubnet(subnet, isValid) ? blocks(subnet) : () => false };
    return isValid(address) && known.has(address);
  });
};

function isSubnet(subnet: string, isValid: (address: string) => boolean): boolean {
  const [, base, prefix] = /^([^/]+)\/(\d{1,3})$/.exec(subnet) ?? [];
  return base !== undefined && isValid(base) && Number(prefix) <= (isIPv4(base) ? 32 : 128);
}

/** Functions of IP addresses. */
export const address: Readonly<Record<string, LanguageFunction>> = {
  isvalidip: test((text) => isIP(text) > 0),
  isvalidipv4: test(isIPv4),
  isvalidipv6: test(isIPv6),
  isipinsubnet: inSubnet((text) => isIP(text) > 0),
  isipv4insubnet: inSubnet(isIPv4),
  isipv6insubnet: inSubnet(isIPv6),
  ipv4tonumber: ofTexts(1, 1, (text) =>
    isIPv4(text) ? text.split('.').reduce((number, part) => number * 256 + Number(part), 0) : undefined,
  ),
  isprivateip: test(isPrivate),
  ispublicip: test((text) => isIP(text) > 0 && !isPrivate(text) && !isReserved(text)),
  isreservedip: test(isReserved),
};
