import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses that a program with a network of its own cannot reach: loopback and link-local ones. */
const MACHINE = new BlockList();
MACHINE.addSubnet('0.0.0.0', 8, 'ipv4');
MACHINE.addSubnet('127.0.0.0', 8, 'ipv4');
MACHINE.addSubnet('169.254.0.0', 16, 'ipv4');
MACHINE.addSubnet('::', 127, 'ipv6');
MACHINE.addSubnet('fe80::', 10, 'ipv6');

/** Whether only programs on this machine reach an IP address there: a loopback or link-local address. */
export const isMachineOnly = (address: string): boolean =>
  MACHINE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

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
