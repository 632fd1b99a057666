import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Addresses that a program with a network of its own cannot reach: loopback and link-local ones, and those of EC2's
 * services.
 */
const MACHINE = new BlockList();
MACHINE.addSubnet('0.0.0.0', 8, 'ipv4');
MACHINE.addSubnet('127.0.0.0', 8, 'ipv4');
MACHINE.addSubnet('169.254.0.0', 16, 'ipv4');
MACHINE.addSubnet('::', 127, 'ipv6');
MACHINE.addSubnet('fe80::', 10, 'ipv6');
MACHINE.addSubnet('fd00:ec2::', 32, 'ipv6');

/**
 * Whether only programs on this machine reach an IP address there, or are trusted more: its loopback, link-local and own
 * addresses.
 */
export function isMachineOnly(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const own = new BlockList();
  for (const found of Object.values(networkInterfaces()).flat())
    if (found) own.addAddress(found.address, familyOf(found.address));
  return [MACHINE, own].some((list) => list.check(plain, familyOf(plain)));
}

/** Resolves names to addresses other than those of `isMachineOnly`. */
export const lookupOthers: LookupFunction = (name, options, done) => {
  lookup(name, { ...options, all: true }, (error, addresses) => {
    const others = (addresses ?? []).filter(({ address }) => !isMachineOnly(address));
    const [first] = others;
    if (error || !first) done(error ?? new Error(`${name} is an address of emu's machine`), '', 4);
    else if (options.all) done(null, others);
    else done(null, first.address, first.family);
  });
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
