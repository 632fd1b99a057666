import { type Certificate, selfSigned } from '@emu/core/certificates';

const DAY = 24 * 60 * 60 * 1000;

/**
 * Creates a self-signed certificate for emu's names on this machine: localhost, the emulator's domain and one label
 * under each.
 * @param domain the emulator's own domain
 */
export function generateCertificate(domain: string): Promise<Certificate> {
  const names = ['localhost', '*.localhost', domain, `*.${domain}`, `*.localhost.${domain}`];
  return selfSigned({
    subject: { commonName: 'localhost' },
    keyType: 'ec',
    // Clients compare it with their machine's time. A day allows for differences between clocks.
    notBefore: Date.now() - DAY,
    notAfter: Date.now() + 397 * DAY,
    use: { server: { names: [...new Set(names)], addresses: ['127.0.0.1', '::1'] } },
  });
}
