const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const IPV6 = /^[\da-f:]*:[\da-f:]*$/i;

/**
 * Parses an IP address of either version.
 * @returns 4 or 16 bytes; undefined for any other string, including an address with a zone or an IPv4 tail
 */
export function parseIp(text: string): number[] | undefined {
  if (IPV4.test(text)) {
    const bytes = text.split('.').map(Number);
    return bytes.every((byte) => byte < 256) ? bytes : undefined;
  }
  return IPV6.test(text) ? parseIpv6(text) : undefined;
}

function parseIpv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => (half ? half.split(':') : []));
  const groups = tail
    ? [...head!, ...Array<string>(Math.max(0, 8 - head!.length - tail.length)).fill('0'), ...tail]
    : head!;
  if (groups.length !== 8 || (tail && head!.length + tail.length > 7)) return undefined;
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return groups.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** A block of addresses. */
export interface Cidr {
  /** 4 or 16 bytes. */
  readonly address: readonly number[];
  readonly maskBits: number;
}

/**
 * Parses a block in CIDR notation; rejects a mask of the whole address, as event-ruler does.
 * @throws Error with AWS's reason
 */
export function parseCidr(text: string): Cidr {
  const [ip, mask, ...more] = text.split('/');
  if (mask === undefined || more.length) throw new Error("Malformed CIDR, one '/' required");
  if (!/^[+-]?\d{1,9}$/.test(mask)) throw new Error('Malformed CIDR, mask bits must be an integer');
  const maskBits = Number(mask);
  if (maskBits < 0) throw new Error('Malformed CIDR, mask bits must not be negative');
  const address = parseIp(ip!);
  if (!address) throw new Error(`Nonstandard IP address: ${ip}`);
  if (address.length === 4 && maskBits > 31) throw new Error('IPv4 mask bits must be < 32');
  if (maskBits > 127) throw new Error('IPv6 mask bits must be < 128');
  return { address, maskBits };
}

/** Whether an address, as text, is in a block of its version. */
export function isInCidr({ address, maskBits }: Cidr, text: string): boolean {
  const bytes = parseIp(text);
  if (bytes?.length !== address.length) return false;
  for (let index = 0, bits = maskBits; bits > 0; index++, bits -= 8) {
    const mask = bits >= 8 ? 0xff : (0xff << (8 - bits)) & 0xff;
    if ((bytes[index]! & mask) !== (address[index]! & mask)) return false;
  }
  return true;
}
