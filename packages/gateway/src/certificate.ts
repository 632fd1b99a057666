import { generate } from 'selfsigned';

/** A private key and its certificate, in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

const DNS = 2;
const IP = 7;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Makes a self-signed certificate for the names emu is reached by on this machine: localhost, the emulator's domain and
 * one label under each.
 * @param domain the emulator's own domain
 */
export async function generateCertificate(domain: string): Promise<Certificate> {
  const names = ['localhost', '*.localhost', domain, `*.${domain}`, `*.localhost.${domain}`];
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // The machine's time: clients compare with theirs. A day of room for clocks that differ.
    notBeforeDate: new Date(Date.now() - DAY),
    notAfterDate: new Date(Date.now() + 397 * DAY),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...[...new Set(names)].map((value) => ({ type: DNS, value }) as const),
          { type: IP, ip: '127.0.0.1' },
          { type: IP, ip: '::1' },
        ],
      },
    ],
  });
  return { key, cert };
}
