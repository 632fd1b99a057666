import type { SelfsignedOptions } from 'selfsigned';

/** A private key and its certificate, in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** Content of a certificate. */
export interface CertificateRequest {
  /** The parts of the subject's name, in order, e.g. `{ commonName: 'localhost' }`. */
  subject: Readonly<Record<string, string>>;
  /** Epoch milliseconds from which it is valid. */
  notBefore: number;
  /** Epoch milliseconds until which it is valid. */
  notAfter: number;
  /** RSA keys have 2,048 bits. By default `rsa`. */
  keyType?: 'rsa' | 'ec';
  /** Allowed uses of its key; by default those of `server`, with these host names and IP addresses. */
  use?: 'signature' | { server: { names: readonly string[]; addresses: readonly string[] } };
}

const DNS = 2;
const IP = 7;

/**
 * Creates a key and a certificate that is signed with it.
 * @see https://www.rfc-editor.org/rfc/rfc5280
 */
export async function selfSigned(request: CertificateRequest): Promise<Certificate> {
  // Loaded late: the libraries are large, and few emulators create a certificate.
  const { generate } = await import('./selfsigned.ts');
  const { subject, notBefore, notAfter, keyType = 'rsa', use } = request;
  const extensions = use && extensionsOf(use);
  const { private: key, cert } = await generate(
    Object.entries(subject).map(([name, value]) => ({ name, value })),
    {
      keyType,
      keySize: 2048,
      algorithm: 'sha256',
      notBeforeDate: new Date(notBefore),
      notAfterDate: new Date(notAfter),
      ...(extensions && { extensions }),
    },
  );
  return { key, cert };
}

function extensionsOf(use: NonNullable<CertificateRequest['use']>): SelfsignedOptions['extensions'] {
  if (use === 'signature')
    return [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
    ];
  const { names, addresses } = use.server;
  return [
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        ...names.map((value) => ({ type: DNS, value }) as const),
        ...addresses.map((ip) => ({ type: IP, ip }) as const),
      ],
    },
  ];
}
