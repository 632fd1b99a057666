import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { selfSigned } from '@emu/core/certificates';
import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type ServiceHandle,
  servicePrincipalName,
} from '@emu/core/service';
import type { SigningKeyRecord } from '../records.ts';

/** Algorithms by SignatureVersion. */
const ALGORITHMS: Readonly<Record<string, string>> = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' };
const DAY = 24 * 60 * 60 * 1000;
const RECORD = 'current';

/** Signs messages, so that receivers can verify them with the certificate. */
export class Signer {
  private readonly key: KeyObject;

  constructor(
    record: DeepReadonly<SigningKeyRecord>,
    /** PEM. */
    readonly certificate = record.certificate,
  ) {
    this.key = createPrivateKey(record.key);
  }

  /**
   * Returns the signature of a message in base64.
   * @param members members to sign, in alphabetical order of their names; undefined ones are skipped
   * @param version SignatureVersion: `1` for SHA1, `2` for SHA256
   * @see https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
   */
  sign(members: Readonly<Record<string, string | undefined>>, version: string): string {
    let text = '';
    for (const name of Object.keys(members).sort())
      if (members[name] !== undefined) text += `${name}\n${members[name]}\n`;
    return sign(ALGORITHMS[version]!, Buffer.from(text), this.key).toString('base64');
  }
}

const signers = new WeakMap<object, Signer>();
/** Unused keys, shared by all regions of one emulator. */
const unused = new WeakMap<object, Promise<SigningKeyRecord>>();

/**
 * Returns the signer of an emulator. Its key is generated at first use, which takes some time, and stored.
 * @param records collection for the key
 */
export function signerOf(
  service: ServiceHandle,
  records: Collection<SigningKeyRecord>,
  clock: Clock,
): Signer | Promise<Signer> {
  const record = records.get(RECORD);
  if (!record) return storeKey(service, records, clock);
  let signer = signers.get(record);
  if (!signer) {
    signer = new Signer(record);
    signers.set(record, signer);
  }
  return signer;
}

/** Returns the certificate of an emulator's signer in PEM. The key is stored only when a message is signed. */
export async function certificateOf(
  service: ServiceHandle,
  records: Collection<SigningKeyRecord>,
  clock: Clock,
): Promise<string> {
  return (records.get(RECORD) ?? (await unusedKey(service, clock))).certificate;
}

async function storeKey(service: ServiceHandle, records: Collection<SigningKeyRecord>, clock: Clock): Promise<Signer> {
  const record = await unusedKey(service, clock);
  unused.delete(service);
  // Another message may have stored a key meanwhile.
  return new Signer(records.get(RECORD) ?? records.put(RECORD, record));
}

function unusedKey(service: ServiceHandle, clock: Clock): Promise<SigningKeyRecord> {
  const known = unused.get(service);
  if (known) return known;
  const made = generateKey(clock);
  unused.set(service, made);
  made.catch(() => unused.delete(service));
  return made;
}

async function generateKey(clock: Clock): Promise<SigningKeyRecord> {
  const { key, cert } = await selfSigned({
    subject: { commonName: servicePrincipalName('sns') },
    notBefore: clock.now() - DAY,
    notAfter: clock.now() + 397 * DAY,
    use: 'signature',
  });
  return { key, certificate: cert };
}
