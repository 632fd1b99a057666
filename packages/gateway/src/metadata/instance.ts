import { createHash } from 'node:crypto';
import type { Kernel } from '@emu/core';

/** Abbreviations of directions in availability zone ids. */
const DIRECTIONS: Readonly<Record<string, string>> = {
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  central: 'c',
  northeast: 'ne',
  northwest: 'nw',
  southeast: 'se',
  southwest: 'sw',
};

/** The fictitious instance of the metadata service. Its properties are derived from its id. */
export class Instance {
  readonly id: string;
  readonly region: string;
  readonly type = 'm5.large';
  readonly architecture = 'x86_64';
  readonly launchedAt: number;
  private readonly digest: string;

  /** @param id by default a generated one */
  constructor(kernel: Kernel, id = `i-${kernel.ids.hex(17)}`) {
    this.id = id;
    this.region = kernel.settings.region;
    this.launchedAt = kernel.clock.now();
    this.digest = createHash('sha256').update(id).digest('hex');
  }

  get availabilityZone(): string {
    return `${this.region}a`;
  }

  /** E.g. `use1-az1` for `us-east-1a`. */
  get availabilityZoneId(): string {
    const [place, ...words] = this.region.split('-');
    const short = words.map((word) => DIRECTIONS[word] ?? (/^\d+$/.test(word) ? word : word[0])).join('');
    return `${place}${short}-az1`;
  }

  get imageId(): string {
    return this.resourceId('ami', 0);
  }

  get privateIp(): string {
    return `172.31.${this.byte(0) % 16}.${4 + (this.byte(1) % 248)}`;
  }

  get privateDnsName(): string {
    const domain = this.region === 'us-east-1' ? 'ec2.internal' : `${this.region}.compute.internal`;
    return `ip-${this.privateIp.replaceAll('.', '-')}.${domain}`;
  }

  get mac(): string {
    return ['06', ...[2, 3, 4, 5, 6].map((index) => this.digest.slice(2 * index, 2 * index + 2))].join(':');
  }

  /** Returns an id such as `eni-…`, which is the same for the same instance. */
  resourceId(prefix: string, index: number): string {
    return `${prefix}-${createHash('sha256').update(`${this.id}/${prefix}/${index}`).digest('hex').slice(0, 17)}`;
  }

  private byte(index: number): number {
    return Number.parseInt(this.digest.slice(2 * index, 2 * index + 2), 16);
  }
}
