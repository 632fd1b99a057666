import { existsSync, readdirSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Interfaces through which containers and virtual machines reach this machine: bridges of Docker, podman, CNI, LXC,
 * libvirt and Multipass, and host networks of VMware, VirtualBox, Parallels, Hyper-V's switches for WSL, and macOS.
 */
const BRIDGE =
  /^(?:docker\w*|br-.+|podman.*|cni.*|nerdctl.*|lxcbr\d+|lxdbr\d+|incusbr\d+|virbr\d+|mpqemubr\d+|vmnet\d+|vboxnet\d+|vnic\d+|bridge1\d\d|vEthernet \((?:WSL.*|Default Switch|nat)\))$/;
/** Milliseconds for which the list of interfaces is cached. */
const READ_AGAIN = 1000;
/** Maximum number of addresses in the cache. */
const MAX_ADDRESSES = 1000;

/** An address of the machine, as in `networkInterfaces` of node:os. */
interface InterfaceAddress {
  readonly address: string;
  readonly family: string;
  /** The address with the prefix length of its network. */
  readonly cidr: string | null;
}

/** Source of the machine's network configuration. */
export interface NetworkSources {
  interfaces(): NodeJS.Dict<readonly InterfaceAddress[]>;
  /** Whether an interface is a bridge with a network card, behind which other machines are. */
  hasCard(name: string): boolean;
}

const SYSTEM: NetworkSources = { interfaces: networkInterfaces, hasCard };

/** Distinguishes connections of this machine, its containers and its virtual machines from others. */
export class LocalPeers {
  private readonly known = new Map<string, boolean>();
  private addresses = new BlockList();
  private readAt = Number.NEGATIVE_INFINITY;

  /** @param others addresses of other machines that count as local */
  constructor(
    private readonly sources: NetworkSources = SYSTEM,
    private readonly others: readonly string[] = [],
  ) {}

  /** @param remoteAddress address of a socket; undefined after it was closed, which counts as remote */
  has(remoteAddress: string | undefined): boolean {
    if (remoteAddress === '127.0.0.1' || remoteAddress === '::1') return true;
    if (remoteAddress === undefined) return false;
    if (performance.now() - this.readAt > READ_AGAIN) this.read();
    let local = this.known.get(remoteAddress);
    if (local === undefined) {
      local = this.find(remoteAddress);
      if (this.known.size >= MAX_ADDRESSES) this.known.clear();
      this.known.set(remoteAddress, local);
    }
    return local;
  }

  private find(remoteAddress: string): boolean {
    // Listeners for both IP versions write IPv4 addresses like this; zones of link-local addresses are irrelevant.
    const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
    const version = isIP(address);
    return version !== 0 && this.addresses.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }

  /** Reads the machine's interfaces, which change with the networks of containers. */
  private read(): void {
    this.readAt = performance.now();
    this.known.clear();
    this.addresses = new BlockList();
    this.addresses.addSubnet('127.0.0.0', 8, 'ipv4');
    this.addresses.addAddress('::1', 'ipv6');
    for (const address of this.others) this.addresses.addAddress(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
    for (const [name, addresses] of Object.entries(this.sources.interfaces())) {
      const isBridge = BRIDGE.test(name) && !this.sources.hasCard(name);
      for (const { address, family, cidr } of addresses ?? []) {
        const version = family === 'IPv4' ? 'ipv4' : 'ipv6';
        this.addresses.addAddress(address, version);
        // The link-local network is the same on every interface, and other machines have addresses in it, too.
        if (isBridge && cidr && !/^fe80:/i.test(address))
          this.addresses.addSubnet(address, Number(cidr.split('/')[1]), version);
      }
    }
  }
}

/**
 * Whether a bridge includes a network card. Linux lists the ports of a bridge; a network card is a device, unlike the
 * interfaces of containers.
 */
function hasCard(name: string): boolean {
  const ports = `/sys/class/net/${name}/brif`;
  if (process.platform !== 'linux' || !existsSync(ports)) return false;
  return readdirSync(ports).some((port) => existsSync(`/sys/class/net/${port}/device`));
}
