import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LocalPeers, type NetworkSources } from '../src/service.ts';

type Interfaces = ReturnType<NetworkSources['interfaces']>;

const address = (cidr: string): NonNullable<Interfaces[string]>[number] => {
  const [of] = cidr.split('/') as [string];
  return { address: of, family: of.includes(':') ? 'IPv6' : 'IPv4', cidr };
};
const peersOf = (interfaces: Record<string, string[]>, cards: string[] = []): LocalPeers =>
  new LocalPeers({
    interfaces: () =>
      Object.fromEntries(Object.entries(interfaces).map(([name, addresses]) => [name, addresses.map(address)])),
    hasCard: (name) => cards.includes(name),
  });

afterEach(() => vi.useRealTimers());

describe('peers of this machine', () => {
  const peers = peersOf({
    lo: ['127.0.0.1/8', '::1/128'],
    eth0: ['192.168.1.20/24', 'fd00::20/64', 'fe80::20/64'],
    docker0: ['172.17.0.1/16', 'fe80::42/64'],
    'br-0123456789ab': ['172.18.0.1/16'],
    podman1: ['10.89.0.1/24', 'fd10::1/64'],
  });

  it.each([
    '127.0.0.1',
    '127.4.5.6',
    '::1',
    '::ffff:127.0.0.1',
    '192.168.1.20',
    '::ffff:192.168.1.20',
    'fd00::20',
    'fe80::20%eth0',
    '172.17.0.5',
    '::ffff:172.17.200.5',
    '172.18.0.7',
    '10.89.0.33',
    'fd10::abcd',
  ])('%s is local', (peer) => {
    expect(peers.has(peer)).toBe(true);
    // Remembered.
    expect(peers.has(peer)).toBe(true);
  });

  it.each([
    '192.168.1.21',
    '::ffff:192.168.1.1',
    'fd00::21',
    'fe80::21',
    '172.19.0.1',
    '10.89.1.1',
    '8.8.8.8',
    '',
    'x',
  ])('%j is not local', (peer) => {
    expect(peers.has(peer)).toBe(false);
    expect(peers.has(peer)).toBe(false);
  });

  it('an unknown address is not local', () => {
    expect(peers.has(undefined)).toBe(false);
  });
});

it('local peers include the bridges of engines and hypervisors, and not the networks of others', () => {
  for (const name of [
    'docker_gwbridge',
    'br-lan',
    'podman0',
    'cni-podman0',
    'cni0',
    'nerdctl0',
    'virbr0',
    'lxcbr0',
    'lxdbr0',
    'vmnet8',
    'vboxnet0',
    'bridge100',
    'vEthernet (WSL (Hyper-V firewall))',
  ])
    expect(peersOf({ [name]: ['10.7.0.1/16'] }).has('10.7.3.4'), name).toBe(true);
  for (const name of ['eth0', 'wlan0', 'en0', 'br0', 'bridge0', 'tun0', 'utun4', 'wg0', 'vEthernet (External)'])
    expect(peersOf({ [name]: ['10.7.0.1/16'] }).has('10.7.3.4'), name).toBe(false);
});

it('local peers exclude a bridge with a network card', () => {
  expect(peersOf({ 'br-lan': ['192.168.1.1/24'] }, ['br-lan']).has('192.168.1.9')).toBe(false);
  expect(peersOf({ 'br-lan': ['192.168.1.1/24'] }, ['br-lan']).has('192.168.1.1')).toBe(true);
});

it('local peers follow bridges that are added and removed', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const interfaces: Record<string, string[]> = {};
  const peers = peersOf(interfaces);
  expect(peers.has('10.88.0.5')).toBe(false);
  interfaces.podman0 = ['10.88.0.1/16'];
  vi.advanceTimersByTime(1001);
  expect(peers.has('10.88.0.5')).toBe(true);
  delete interfaces.podman0;
  vi.advanceTimersByTime(1001);
  expect(peers.has('10.88.0.5')).toBe(false);
});

it('reads the interfaces of the machine', () => {
  const peers = new LocalPeers();
  for (const addresses of Object.values(networkInterfaces()))
    for (const own of addresses ?? []) expect(peers.has(own.address), own.address).toBe(true);
  expect(peers.has('203.0.113.9')).toBe(false);
});
