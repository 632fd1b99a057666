import type { SelfsignedOptions } from 'selfsigned';

/** A private key and its certificate, in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** What a certificate is to say. */
export interface CertificateRequest {
  /** The parts of the subject's name, e.g. `{ commonName: 'localhost' }`, in their order. */
  subject: Readonly<Record<string, string>>;
  /** Epoch milliseconds from which it is valid. */
  notBefore: number;
  /** Epoch milliseconds until which it is valid. */
  notAfter: number;
  /** RSA keys have 2,048 bits. By default `rsa`. */
  keyType?: 'rsa' | 'ec';
  /** What its key may do: what `server` may it may by default, for those host names and IP addresses. */
  use?: 'signature' | { server: { names: readonly string[]; addresses: readonly string[] } };
}

const DNS = 2;
const IP = 7;

/**
 * Makes a key and a certificate that it signs itself.
 * @see https://www.rfc-editor.org/rfc/rfc5280
 */
export async function selfSigned(request: CertificateRequest): Promise<Certificate> {
  // Its libraries are large, and few emulators make a certificate.
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
