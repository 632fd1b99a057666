import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { type OutgoingNames, openRequest } from '@emu/core/outgoing';

/** Timeout in milliseconds, and size limit of a response in bytes. */
const TIME_LIMIT = 2000;
const SIZE_LIMIT = 65_536;

/** Address ranges outside the public internet (IANA's special-purpose address registries). */
const SPECIAL = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  SPECIAL.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  SPECIAL.addSubnet(network, prefix, 'ipv6');

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  return !SPECIAL.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
}

/** Resolves names to public addresses only. The connection uses the checked address. */
const publicLookup: LookupFunction = (name, options, done) => {
  resolve(name, { ...options, all: true }, (error, addresses) => {
    const foreign = addresses?.find(({ address }) => !isPublicAddress(address));
    const refusal = error ?? (foreign && new Error(`${name} is at ${foreign.address}, which is not public`));
    if (refusal || !addresses.length) done(refusal ?? new Error(`${name} has no address`), '', 4);
    else if (options.all) done(null, addresses);
    else done(null, addresses[0]!.address, addresses[0]!.family);
  });
};

/**
 * Fetches a JSON document over https, with at most 64 KiB and within two seconds. Redirects are not followed.
 * @param anywhere whether private and loopback addresses are allowed
 * @throws Error if it cannot be fetched
 */
export async function getJson(
  names: OutgoingNames,
  url: string,
  { anywhere }: { anywhere: boolean },
): Promise<unknown> {
  const target = new URL(url);
  if (target.protocol !== 'https:') throw new Error(`${url} is not an https URL`);
  const literal = target.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!anywhere && isIP(literal) && !isPublicAddress(literal)) throw new Error(`${literal} is not a public address`);
  const signal = AbortSignal.timeout(TIME_LIMIT);
  const headers = { accept: 'application/json' };
  const options = { agent: false, headers, signal, ...(!anywhere && { lookup: publicLookup }) } as const;
  const outgoing = await openRequest(names, target, options);
  return new Promise((done, fail) => {
    outgoing.on('error', fail);
    outgoing.on('response', (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('error', fail);
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > SIZE_LIMIT) answer.destroy(new Error(`${url} has more than ${SIZE_LIMIT} bytes`));
        chunks.push(chunk);
      });
      answer.on('end', () => {
        if (answer.statusCode !== 200) fail(new Error(`${url} answered ${answer.statusCode}`));
        else
          try {
            done(JSON.parse(Buffer.concat(chunks).toString('utf8')));
          } catch (error) {
            fail(error as Error);
          }
      });
    });
    outgoing.end();
  });
}
