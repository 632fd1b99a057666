import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { iamError } from '../errors.ts';

/** An RSA public key, as SSH and CodeCommit use it. */
export interface SshKey {
  encoding: 'SSH' | 'PEM';
  /** Modulus and exponent, as JSON Web Keys have them. */
  key: { n: string; e: string };
}

const MIN_BITS = 2048;
const MAX_BITS = 16_384;

const invalid = (): Error => iamError('InvalidPublicKeyException', 'The public key is malformed or otherwise invalid.');

/**
 * Reads a public key in SSH's one-line format or PEM.
 * @throws AwsError `InvalidPublicKey`, `UnrecognizedPublicKeyEncoding`
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UploadSSHPublicKey.html
 */
export function parseSshKey(text: string): SshKey {
  const body = text.trim();
  if (body.startsWith('ssh-')) return { encoding: 'SSH', key: checked(readSshLine(body)) };
  if (body.startsWith('-----BEGIN ')) return { encoding: 'PEM', key: checked(() => createPublicKey(body)) };
  throw iamError(
    'UnrecognizedPublicKeyEncodingException',
    'The public key encoding format is unsupported or unrecognized.',
  );
}

/** RSA keys of at least 2048 bits only. */
function checked(read: () => KeyObject): SshKey['key'] {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    throw invalid();
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < MIN_BITS || bits > MAX_BITS) throw invalid();
  const { n, e } = key.export({ format: 'jwk' });
  return { n: n!, e: e! };
}

/** Takes `ssh-rsa <base64> comment` apart, RFC 4253 section 6.6. */
const readSshLine = (line: string) => (): KeyObject => {
  const [kind, base64 = ''] = line.split(/\s+/, 2);
  const blob = Buffer.from(base64, 'base64');
  const fields: Buffer[] = [];
  for (let offset = 0; offset < blob.length; ) {
    const end = offset + 4 + blob.readUInt32BE(offset);
    if (end > blob.length) throw new RangeError('a field is cut short');
    fields.push(blob.subarray(offset + 4, end));
    offset = end;
  }
  const [name, exponent, modulus] = fields;
  if (kind !== 'ssh-rsa' || fields.length !== 3 || name!.toString() !== kind) throw new TypeError('no RSA key');
  const n = withoutZeros(modulus!).toString('base64url');
  const e = withoutZeros(exponent!).toString('base64url');
  return createPublicKey({ format: 'jwk', key: { kty: 'RSA', n, e } });
};

/** A number without leading zeros. */
function withoutZeros(number: Buffer): Buffer {
  const start = number.findIndex((byte) => byte !== 0);
  return start < 0 ? Buffer.alloc(0) : number.subarray(start);
}

/** The key as SSH sends it. */
function blobOf({ n, e }: SshKey['key']): Buffer {
  const field = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  // Numbers are signed: a zero keeps the first bit from meaning minus.
  const number = (base64url: string): Buffer => {
    const bytes = withoutZeros(Buffer.from(base64url, 'base64url'));
    return field(bytes[0]! & 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
  };
  return Buffer.concat([field(Buffer.from('ssh-rsa')), number(e), number(n)]);
}

/** MD5 of the key, as `ssh-keygen -E md5 -l` tells it: two digits at a time with colons between. */
export function fingerprintOf(key: SshKey['key']): string {
  const digest = createHash('md5').update(blobOf(key)).digest('hex');
  return digest.match(/../g)!.join(':');
}

/** The key in SSH's one-line format or in PEM. */
export function formatSshKey(key: SshKey['key'], encoding: SshKey['encoding']): string {
  if (encoding === 'SSH') return `ssh-rsa ${blobOf(key).toString('base64')}`;
  const spki = createPublicKey({ format: 'jwk', key: { kty: 'RSA', ...key } });
  return spki.export({ format: 'pem', type: 'spki' }).toString().trim();
}
