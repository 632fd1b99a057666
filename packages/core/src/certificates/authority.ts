import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { der } from './der.ts';
import type { Certificate } from './self-signed.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Validity in days. Longer ones are refused by some clients for the certificates of hosts. */
const VALIDITY = 397;

const OIDS = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  subjectAlternativeName: '2.5.29.17',
  nameConstraints: '2.5.29.30',
  subjectKey: '2.5.29.14',
  authorityKey: '2.5.29.35',
};
/** Subject of the certificates of hosts. A host name may be too long for a common name. */
const HOST_SUBJECT = 'host of emu';
/** Tag of a DNS name among the forms of names. */
const DNS_NAME = 2;
/** Tag of an IP address among the forms of names. */
const IP_ADDRESS = 7;

/** The fields of a certificate that differ between an authority and a host. */
interface Fields {
  subject: string;
  publicKey: KeyObject;
  extensions: readonly Buffer[];
}

/**
 * A certificate authority in the memory of this process, for host names below certain domains only. Clients that trust
 * it accept it for no other host.
 * @see https://www.rfc-editor.org/rfc/rfc5280
 */
export class Authority {
  /** Its own certificate, in PEM. */
  readonly certificate: string;
  private readonly key: KeyObject;
  private readonly keyId: Buffer;
  /** The key of every host's certificate. */
  private readonly hosts: { readonly publicKey: KeyObject; readonly pem: string };
  private readonly notBefore: number;

  /**
   * @param name its name
   * @param suffixes permitted domains, each with a dot in front
   */
  constructor(
    private readonly name: string,
    suffixes: readonly string[],
  ) {
    const { privateKey, publicKey } = makeKeys();
    this.key = privateKey;
    this.keyId = identify(publicKey);
    const own = makeKeys();
    this.hosts = { publicKey: own.publicKey, pem: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    // Clients compare it with their machine's time. A day allows for differences between clocks.
    this.notBefore = Date.now() - DAY;
    this.certificate = this.issue({
      subject: name,
      publicKey,
      extensions: [
        extension(OIDS.basicConstraints, der.sequence(der.true(), der.integer(Buffer.of(0))), true),
        // keyCertSign.
        extension(OIDS.keyUsage, der.bits(Buffer.of(0x04), 2), true),
        extension(OIDS.nameConstraints, constraints(suffixes), true),
        extension(OIDS.subjectKey, der.octets(this.keyId)),
      ],
    });
  }

  /** Issues a certificate for a host. @param name in lower case */
  certificateOf(name: string): Certificate {
    const cert = this.issue({
      // Clients read the alternative names only.
      subject: HOST_SUBJECT,
      publicKey: this.hosts.publicKey,
      extensions: [
        extension(OIDS.basicConstraints, der.sequence(), true),
        // digitalSignature.
        extension(OIDS.keyUsage, der.bits(Buffer.of(0x80), 7), true),
        extension(OIDS.extendedKeyUsage, der.sequence(der.identifier(OIDS.serverAuthentication))),
        extension(OIDS.subjectAlternativeName, der.sequence(der.tagged(DNS_NAME, Buffer.from(name), false))),
      ],
    });
    return { key: this.hosts.pem, cert };
  }

  private issue({ subject, publicKey, extensions }: Fields): string {
    const algorithm = der.sequence(der.identifier(OIDS.ecdsaWithSha256));
    const authorityKey = extension(OIDS.authorityKey, der.sequence(der.tagged(0, this.keyId, false)));
    const content = der.sequence(
      der.tagged(0, der.integer(Buffer.of(2)), true),
      der.integer(randomBytes(16)),
      algorithm,
      commonName(this.name),
      der.sequence(der.time(this.notBefore), der.time(this.notBefore + VALIDITY * DAY)),
      commonName(subject),
      publicKey.export({ type: 'spki', format: 'der' }),
      der.tagged(3, der.sequence(...extensions, authorityKey), true),
    );
    const signature = sign('sha256', content, this.key);
    return pem(der.sequence(content, algorithm, der.bits(signature)));
  }
}

const makeKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const identify = (key: KeyObject): Buffer =>
  createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();

const commonName = (name: string): Buffer =>
  der.sequence(der.set(der.sequence(der.identifier(OIDS.commonName), der.utf8(name))));

const extension = (id: string, content: Buffer, critical = false): Buffer =>
  der.sequence(der.identifier(id), ...(critical ? [der.true()] : []), der.octets(content));

/** Permits names below domains, and no IP address. */
function constraints(suffixes: readonly string[]): Buffer {
  const permitted = suffixes.map((suffix) => der.sequence(der.tagged(DNS_NAME, Buffer.from(suffix.slice(1)), false)));
  const everyAddress = [8, 32].map((length) => der.sequence(der.tagged(IP_ADDRESS, Buffer.alloc(length), false)));
  return der.sequence(der.tagged(0, Buffer.concat(permitted), true), der.tagged(1, Buffer.concat(everyAddress), true));
}

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')}\n-----END CERTIFICATE-----\n`;
