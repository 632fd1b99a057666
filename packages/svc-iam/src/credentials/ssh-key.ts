import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { iamError } from '../errors.ts';

/** An RSA public key for SSH and CodeCommit. */
export interface SshKey {
  encoding: 'SSH' | 'PEM';
  /** Modulus and exponent in JSON Web Key form. */
  key: { n: string; e: string };
}

const MIN_BITS = 2048;
const MAX_BITS = 16_384;

const invalid = (): Error => iamError('InvalidPublicKeyException', 'The public key is malformed or otherwise invalid.');

/**
 * Parses a public key in SSH's one-line format or PEM.
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

/** Accepts RSA keys of at least 2048 bits only. */
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

/** Parses `ssh-rsa <base64> comment`, RFC 4253 section 6.6. */
const readSshLine = (line: string) => (): KeyObject => {
  const [kind, base64 = ''] = line.split(/\s+/, 2);
  const blob = Buffer.from(base64, 'base64');
  const fields: Buffer[] = [];
  for (let offset = 0; offset < blob.length; ) {
    const end = offset + 4 + blob.readUInt32BE(offset);
    if (end > blob.length) throw new RangeError('a field is truncated');
    fields.push(blob.subarray(offset + 4, end));
    offset = end;
  }
  const [name, exponent, modulus] = fields;
  if (kind !== 'ssh-rsa' || fields.length !== 3 || name!.toString() !== kind) throw new TypeError('not an RSA key');
  const n = withoutZeros(modulus!).toString('base64url');
  const e = withoutZeros(exponent!).toString('base64url');
  return createPublicKey({ format: 'jwk', key: { kty: 'RSA', n, e } });
};

/** Removes leading zeros of a number. */
function withoutZeros(number: Buffer): Buffer {
  const start = number.findIndex((byte) => byte !== 0);
  return start < 0 ? Buffer.alloc(0) : number.subarray(start);
}

/** Encodes the key in SSH's wire format. */
function blobOf({ n, e }: SshKey['key']): Buffer {
  const field = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  // Numbers are signed: a leading zero keeps them positive.
  const number = (base64url: string): Buffer => {
    const bytes = withoutZeros(Buffer.from(base64url, 'base64url'));
    return field(bytes[0]! & 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
  };
  return Buffer.concat([field(Buffer.from('ssh-rsa')), number(e), number(n)]);
}

/** Returns the MD5 fingerprint of the key, as shown by `ssh-keygen -E md5 -l`: pairs of digits separated by colons. */
export function fingerprintOf(key: SshKey['key']): string {
  const digest = createHash('md5').update(blobOf(key)).digest('hex');
  return digest.match(/../g)!.join(':');
}

/** Formats the key in SSH's one-line format or PEM. */
export function formatSshKey(key: SshKey['key'], encoding: SshKey['encoding']): string {
  if (encoding === 'SSH') return `ssh-rsa ${blobOf(key).toString('base64')}`;
  const spki = createPublicKey({ format: 'jwk', key: { kty: 'RSA', ...key } });
  return spki.export({ format: 'pem', type: 'spki' }).toString().trim();
}
