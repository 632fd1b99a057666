import { isIP } from 'node:net';

/** Maximum number of blocks of Fn::Cidr. */
const MAX_BLOCKS = 256;

function numberOf(address: string, version: number): bigint {
  if (version === 4) return address.split('.').reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
  const [head = '', tail] = address.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const groups = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return groups.reduce((sum: bigint, part) => (sum << 16n) + BigInt(`0x${part}`), 0n);
}

function addressOf(value: bigint, version: number): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  return groups.join(':').replace(/(^|:)0(:0)+(:|$)/, '::');
}

/**
 * Returns consecutive CIDR blocks from the start of a block.
 * @param bits host bits of each block
 * @returns undefined if they do not fit
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-cidr.html
 */
export function subnetsOf(block: string, count: number, bits: number): string[] | undefined {
  const [address = '', length = ''] = block.split('/');
  const version = isIP(address);
  const width = version === 4 ? 32 : 128;
  const prefix = width - bits;
  if (!version || !/^\d+$/.test(length) || !Number.isInteger(count) || count < 1 || count > MAX_BLOCKS)
    return undefined;
  if (!Number.isInteger(bits) || prefix < Number(length) || bits < 0 || Number(length) > width) return undefined;
  if (BigInt(count) > 1n << BigInt(prefix - Number(length))) return undefined;
  const start = (numberOf(address, version) >> BigInt(width - Number(length))) << BigInt(width - Number(length));
  return Array.from(
    { length: count },
    (_, index) => `${addressOf(start + (BigInt(index) << BigInt(bits)), version)}/${prefix}`,
  );
}
